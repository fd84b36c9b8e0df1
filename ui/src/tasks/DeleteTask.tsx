import * as Either from "effect/Either"
import { useState } from "react"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { go } from "../app/Route.ts"
import { Confirm } from "../design/Dialog.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useKeepDraft } from "../editor/Drafts.ts"
import { useCall } from "../host/Call.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"

/** Asks before a task is removed. */
export const DeleteTask = ({ onClose, task }: { readonly task: TaskSummary; readonly onClose: () => void }) => {
  const texts = useTexts()
  const message = useMessage()
  const call = useCall()
  const notice = useNotice()
  const keep = useKeepDraft()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const { record, sessionId } = task
  const remove = async () => {
    setBusy(true)
    const answer = await call((host) => host("schedule.delete", { sessionId, id: record.id }))
    setBusy(false)
    if (Either.isLeft(answer)) return setFailure(message(answer.left))
    keep(record.id, undefined)
    notice(answer.right.deleted ? texts.deleteTask.done : texts.deleteTask.gone)
    onClose()
    go({ view: "tasks" })
  }
  return (
    <Confirm
      title={texts.deleteTask.title}
      text={
        <p dir="auto" className="wrap">
          {texts.deleteTask.text(record.title)}
        </p>
      }
      action={texts.deleteTask.action}
      busy={busy}
      failure={failure}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
