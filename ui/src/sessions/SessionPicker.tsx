import { Choice } from "../design/Choice.tsx"
import { Field } from "../design/Field.tsx"
import { Picker } from "../design/Picker.tsx"
import { useReading } from "../host/Live.ts"
import { sessions } from "../host/Sessions.ts"
import { useTexts } from "../language/Language.ts"

/** The Session of a new task: one that is there, by its id, or a new one with a name. */
export interface Target {
  readonly kind: "existing" | "new"
  readonly id: string
  readonly name: string
}

export const SessionPicker = (props: {
  readonly target: Target
  readonly error: string | undefined
  readonly onChange: (target: Target) => void
}) => {
  const { error, onChange, target } = props
  const texts = useTexts().editor
  const { value } = useReading(sessions)
  // what is archived or delegated cannot be reminded
  const open = value?.sessions.filter(({ archived, header }) => !archived && header.delegationDepth === 0) ?? []
  const title = open.find(({ header }) => header.id === target.id)?.title
  return (
    <div className="session-picker">
      <Choice
        label={texts.session}
        value={target.kind}
        options={[
          { value: "existing", text: texts.existingSession },
          { value: "new", text: texts.newSession }
        ]}
        onChange={(kind) => onChange({ ...target, kind })}
      />
      {target.kind === "existing" ? (
        <Picker
          label={texts.sessionId}
          hint={title ?? texts.sessionHint}
          error={error}
          none={texts.sessionNone}
          value={target.id}
          options={() =>
            open.map(({ header: { id }, title = "" }) => ({
              value: id,
              note: title,
              words: `${id} ${title}`.toLocaleLowerCase()
            }))
          }
          onChange={(id) => onChange({ ...target, id })}
        />
      ) : (
        <Field label={texts.newSessionName}>
          {(control) => (
            <input
              {...control}
              className="input"
              dir="auto"
              autoComplete="off"
              value={target.name}
              onChange={({ target: { value } }) => onChange({ ...target, name: value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
