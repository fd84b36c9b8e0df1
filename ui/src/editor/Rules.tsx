import * as Either from "effect/Either"
import { useState } from "react"
import * as Rule from "../../../src/domain/Rule.ts"
import type { ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { go } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Icon } from "../design/Icon.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useCall } from "../host/Call.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"
import * as Draft from "./Draft.ts"
import { type Kept, useDrafts, useKeepDraft } from "./Drafts.ts"
import { NewTask } from "./NewTask.tsx"
import { TaskForm, useCheck } from "./TaskForm.tsx"

/** The rules of a task, edited in a draft until they are saved. */
export const Rules = ({ task }: { readonly task: TaskSummary }) => {
  const texts = useTexts()
  const message = useMessage()
  const notice = useNotice()
  const call = useCall()
  const keep = useKeepDraft()
  const { sessionId, status } = task
  const id = task.record.id
  const [saved, setSaved] = useState<{ readonly from: ScheduleRecord; readonly to: ScheduleRecord }>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [refused, setRefused] = useState(false)
  // until the Host's new list is here, what was just saved is what stands
  const record = saved && Rule.sameRecord(saved.from, task.record) ? saved.to : task.record

  const draft = useDrafts().get(id)?.draft ?? Draft.begin(record)
  const parts = Draft.edited(draft)
  const dirty = parts.length > 0
  const check = useCheck(draft.fields)
  const valid = parts.every((part) => check[part] === undefined)
  const changed = Draft.changedMeanwhile(draft, record)
  const ended = status === "inactive"

  const hold = (next: Draft.Draft | undefined) => {
    setFailure(undefined)
    setRefused(false)
    keep(id, next && Draft.edited(next).length > 0 ? { sessionId, draft: next } : undefined)
  }

  const save = async () => {
    if (!dirty || !valid || busy || ended) return
    setBusy(true)
    setFailure(undefined)
    const answer = await call((host) => host("schedule.update", { id, sessionId, ...Draft.request(draft) }))
    setBusy(false)
    if (Either.isLeft(answer)) return setFailure(message(answer.left))
    if ("record" in answer.right) {
      setSaved({ from: task.record, to: answer.right.record })
      hold(undefined)
      return notice(texts.draft.saved)
    }
    if (answer.right.code === "schedule_conflict") return setRefused(true)
    setFailure(message({ message: "", ...answer.right }))
  }

  return (
    <form
      className="rules"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === "s") {
          event.preventDefault()
          save()
        }
      }}
    >
      {ended && <p className="read-only">{texts.editor.readOnly}</p>}
      <TaskForm
        fields={draft.fields}
        check={check}
        shows={(part) => parts.includes(part)}
        record={parts.includes("timing") ? check.record : record}
        disabled={ended}
        stored
        onChange={(fields) => hold({ ...draft, fields })}
      />
      {dirty && (
        <section className="unsaved" aria-label={texts.draft.bar}>
          <div className="unsaved-text" role="status">
            {ended ? (
              <Warning text={texts.draft.ended} />
            ) : refused || changed.length > 0 ? (
              <Warning
                text={[
                  texts.draft.conflict,
                  ...(changed.length > 0 ? [texts.draft.changed(changed.map((part) => texts.draft.fields[part]))] : [])
                ].join(" ")}
              />
            ) : failure !== undefined ? (
              <Warning text={failure} />
            ) : (
              <p>{valid ? texts.draft.bar : texts.draft.invalid}</p>
            )}
          </div>
          <div className="unsaved-actions">
            <Button onClick={() => hold(undefined)}>{ended ? texts.draft.discard : texts.actions.cancel}</Button>
            {!ended && changed.length > 0 && (
              <Button onClick={() => hold(Draft.rebase(draft, record))}>{texts.draft.keep}</Button>
            )}
            {!ended && (
              <Button look="primary" type="submit" disabled={!valid || busy}>
                {busy ? texts.actions.saving : texts.actions.save}
              </Button>
            )}
          </div>
        </section>
      )}
    </form>
  )
}

const Warning = ({ text }: { readonly text: string }) => (
  <p className="warning">
    <Icon name="warning" />
    <span>{text}</span>
  </p>
)

/** An edit whose task has been deleted meanwhile: still to be read, and to be made a new task of. */
export const OrphanDraft = ({ id, kept }: { readonly id: string; readonly kept: Kept }) => {
  const texts = useTexts()
  const keep = useKeepDraft()
  const [creating, setCreating] = useState(false)
  const { draft, sessionId } = kept
  const check = useCheck(draft.fields)
  const forget = (next?: string) => {
    keep(id, undefined)
    go(next === undefined ? { view: "tasks" } : { view: "tasks", id: next })
  }
  return (
    <div className="rules">
      <TaskForm
        fields={draft.fields}
        check={check}
        shows={() => false}
        record={undefined}
        disabled
        stored
        onChange={() => {}}
      />
      <section className="unsaved" aria-label={texts.draft.bar}>
        <div className="unsaved-text" role="status">
          <Warning text={texts.draft.gone} />
        </div>
        <div className="unsaved-actions">
          <Button onClick={() => forget()}>{texts.draft.discard}</Button>
          <Button look="primary" onClick={() => setCreating(true)}>
            {texts.draft.again}
          </Button>
        </div>
      </section>
      {creating && (
        <NewTask sessionId={sessionId} fields={draft.fields} onClose={() => setCreating(false)} onCreated={forget} />
      )}
    </div>
  )
}
