import * as Either from "effect/Either"
import { useState } from "react"
import type { SessionId } from "../../../src/domain/Identifiers.ts"
import { Button } from "../design/Button.tsx"
import { Dialog } from "../design/Dialog.tsx"
import { Problem } from "../design/Field.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useCall } from "../host/Call.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"
import { SessionPicker, type Target } from "../sessions/SessionPicker.tsx"
import * as Fields from "./Fields.ts"
import { TaskForm, useCheck } from "./TaskForm.tsx"

/** Creates a task, in a Session that is there or in a new one. */
export const NewTask = (props: {
  readonly sessionId: string | undefined
  readonly fields?: Fields.Fields
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}) => {
  const texts = useTexts()
  const message = useMessage()
  const notice = useNotice()
  const call = useCall()
  const [fields, setFields] = useState(() => props.fields ?? Fields.initial(Date.now()))
  const [target, setTarget] = useState<Target>({ kind: "existing", id: props.sessionId ?? "", name: "" })
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [submitted, setSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const check = useCheck(fields)
  const noSession = target.kind === "existing" && target.id.trim() === ""
  const valid = !noSession && check.title === undefined && check.prompt === undefined && check.timing === undefined

  const change = (next: Fields.Fields) => {
    const parts = (["title", "prompt", "timing"] as const).filter((part) => next[part] !== fields[part])
    setTouched(new Set([...touched, ...parts]))
    setFields(next)
    setFailure(undefined)
  }

  const create = async () => {
    setSubmitted(true)
    if (!valid || busy) return
    setBusy(true)
    setFailure(undefined)
    const refuse = (error: { readonly message: string; readonly code: string }) => {
      setBusy(false)
      setFailure(message(error))
    }
    let sessionId = target.id.trim()
    if (target.kind === "new") {
      const title = target.name.trim()
      const made = await call((host) => host("sessions.new", title === "" ? {} : { title }))
      if (Either.isLeft(made)) return refuse(made.left)
      sessionId = made.right.header.id
      // should the task be refused, the next attempt uses this Session
      setTarget({ kind: "existing", id: sessionId, name: "" })
    }
    const answer = await call((host) =>
      host("schedule.create", { sessionId: sessionId as SessionId, request: Fields.request(fields) })
    )
    if (Either.isLeft(answer)) return refuse(answer.left)
    notice(texts.editor.created)
    props.onCreated(answer.right.id)
  }

  return (
    <Dialog title={texts.tasks.new} wide onClose={props.onClose}>
      <form
        className="new-task"
        onSubmit={(event) => {
          event.preventDefault()
          create()
        }}
      >
        <div className="dialog-text">
          <SessionPicker
            target={target}
            error={submitted && noSession ? texts.editor.required : undefined}
            onChange={(next) => {
              setTarget(next)
              setFailure(undefined)
            }}
          />
          <TaskForm
            fields={fields}
            check={check}
            shows={(part) => submitted || touched.has(part)}
            record={check.record}
            onChange={change}
          />
        </div>
        {failure && <Problem text={failure} />}
        <footer>
          <Button onClick={props.onClose}>{texts.actions.cancel}</Button>
          <Button look="primary" type="submit" disabled={busy}>
            {busy ? texts.editor.creating : texts.editor.create}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
