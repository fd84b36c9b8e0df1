import { useMemo } from "react"
import * as Instant from "../../../src/domain/Instant.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import { Field } from "../design/Field.tsx"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"
import { useMinute } from "../time/Clock.ts"
import { Moment } from "../time/Moment.tsx"
import * as Fields from "./Fields.ts"
import { useSentence } from "./Sentence.ts"
import { TimingEditor } from "./TimingEditor.tsx"

/** What the domain says of the fields, looked at again when they change and when time has passed. */
export const useCheck = (fields: Fields.Fields): Fields.Check => {
  const minute = useMinute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in the future changes with the minute
  return useMemo(() => Fields.check(fields, Date.now()), [fields, minute])
}

/** The parts of a task that a person writes, and what comes of the timing. */
export const TaskForm = (props: {
  readonly fields: Fields.Fields
  readonly check: Fields.Check
  /** The parts whose errors are shown. */
  readonly shows: (part: "title" | "prompt" | "timing") => boolean
  /** The record whose next runs are shown; undefined while the timing is not valid. */
  readonly record: ScheduleRecord | undefined
  readonly disabled?: boolean
  readonly stored?: boolean
  readonly onChange: (fields: Fields.Fields) => void
}) => {
  const { check, disabled = false, fields, onChange, record, shows, stored = false } = props
  const texts = useTexts().editor
  const message = useMessage()
  const told = (part: "title" | "prompt") => {
    const error = check[part]
    return error && shows(part) ? message(error) : undefined
  }
  return (
    <>
      <Field label={texts.name} error={told("title")}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            readOnly={disabled}
            value={fields.title}
            onChange={({ target }) => onChange({ ...fields, title: target.value })}
          />
        )}
      </Field>
      <Field label={texts.prompt} hint={texts.promptHint} error={told("prompt")}>
        {(control) => (
          <textarea
            {...control}
            className="input"
            dir="auto"
            rows={4}
            readOnly={disabled}
            value={fields.prompt}
            onChange={({ target }) => onChange({ ...fields, prompt: target.value })}
          />
        )}
      </Field>
      <TimingEditor
        timing={fields.timing}
        error={shows("timing") ? check.timing : undefined}
        disabled={disabled}
        stored={stored}
        onChange={(timing) => onChange({ ...fields, timing })}
      />
      {!disabled && <NextRuns record={record} />}
    </>
  )
}

/** The sentence of a rule and when it will be due, as it is typed. */
const NextRuns = ({ record }: { readonly record: ScheduleRecord | undefined }) => {
  const texts = useTexts().editor
  const sentence = useSentence()
  const minute = useMinute()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is next changes with the minute
  const runs = useMemo(() => (record ? Fields.upcoming(record, Date.now(), 5) : []), [record, minute])
  const zone = record && "timeZone" in record ? record.timeZone : undefined
  return (
    <section className="next-runs" aria-label={texts.next}>
      <p className="caption">{texts.next}</p>
      {record === undefined ? (
        <p className="hint">{texts.nextNone}</p>
      ) : (
        <>
          <p className="sentence">{sentence(record)}</p>
          <ol>
            {runs.map((instant) => (
              <li key={instant}>
                <Moment at={Instant.toMillis(instant)} zone={zone} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  )
}
