import * as Either from "effect/Either"
import { useState } from "react"
import { go } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Field } from "../design/Field.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useCall } from "../host/Call.ts"
import { useRefresh } from "../host/Live.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"

/** Names a new Session, or gives one another name. */
export const NameSession = (props: {
  readonly session?: { readonly id: string; readonly title: string }
  readonly onClose: () => void
}) => {
  const { onClose, session } = props
  const texts = useTexts()
  const message = useMessage()
  const notice = useNotice()
  const call = useCall()
  const refresh = useRefresh()
  const [name, setName] = useState(session?.title ?? "")
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const title = name.trim()
  const save = async () => {
    setBusy(true)
    const answer = await call((host) =>
      session === undefined
        ? host("sessions.new", title === "" ? {} : { title })
        : host("sessions.rename", { id: session.id, title })
    )
    setBusy(false)
    if (Either.isLeft(answer)) return setFailure(message(answer.left))
    notice(session === undefined ? texts.sessions.created : texts.sessions.renamed)
    refresh()
    onClose()
    if (session === undefined) go({ view: "sessions", id: answer.right.header.id })
  }
  return (
    <Dialog title={session === undefined ? texts.sessions.new : texts.sessions.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className="dialog-text">
          <Field label={texts.sessions.name} error={failure}>
            {(control) => (
              <input
                {...control}
                className="input"
                dir="auto"
                autoComplete="off"
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        </div>
        <footer>
          <Button onClick={onClose}>{texts.actions.cancel}</Button>
          <Button look="primary" type="submit" disabled={busy || (session !== undefined && title === "")}>
            {texts.actions.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
