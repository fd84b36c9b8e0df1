import * as Either from "effect/Either"
import { useState } from "react"
import type { SessionRefused } from "../../../src/remote/SessionRefused.ts"
import { Button } from "../design/Button.tsx"
import { Confirm } from "../design/Dialog.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useCall } from "../host/Call.ts"
import { useRefresh } from "../host/Live.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"

type Activity = NonNullable<SessionRefused["activity"]>

/** Archives a Session; what still goes on in it is shown first, and stopped only when asked to. */
export const ArchiveSession = ({ archived, id }: { readonly id: string; readonly archived: boolean }) => {
  const texts = useTexts()
  const message = useMessage()
  const notice = useNotice()
  const call = useCall()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [activity, setActivity] = useState<Activity>()
  const [failure, setFailure] = useState<string>()

  const archive = async (stopActivity: boolean) => {
    setBusy(true)
    setFailure(undefined)
    const answer = await call((host) => host("sessions.archive", stopActivity ? { id, stopActivity } : { id }))
    setBusy(false)
    if (Either.isRight(answer)) {
      setActivity(undefined)
      refresh()
      return notice(texts.sessions.archivedDone)
    }
    const error = answer.left
    if (error._tag === "SessionRefused" && error.activity !== undefined && !stopActivity) {
      return setActivity(error.activity)
    }
    if (activity === undefined) notice(message(error), true)
    else setFailure(message(error))
  }

  const unarchive = async () => {
    setBusy(true)
    const answer = await call((host) => host("sessions.unarchive", { id }))
    setBusy(false)
    refresh()
    notice(Either.isLeft(answer) ? message(answer.left) : texts.sessions.unarchivedDone, Either.isLeft(answer))
  }

  return (
    <>
      <Button icon="archive" disabled={busy} onClick={() => (archived ? unarchive() : archive(false))}>
        {archived ? texts.sessions.unarchive : texts.sessions.archive}
      </Button>
      {activity && (
        <Confirm
          title={texts.sessions.refused}
          text={<Running activity={activity} />}
          action={texts.sessions.stop}
          busy={busy}
          failure={failure}
          onConfirm={() => archive(true)}
          onClose={() => setActivity(undefined)}
        />
      )}
    </>
  )
}

const Running = ({ activity }: { readonly activity: Activity }) => {
  const texts = useTexts().sessions
  return (
    <>
      <p>{texts.refusedText}</p>
      {activity.map(({ family, items }) => (
        <div key={family} className="activity">
          <h3>{texts.families[family] ?? family}</h3>
          <ul>
            {items.map(({ id, label }) => (
              <li key={id} className="wrap" dir="auto">
                {label}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="hint">{texts.stopHint}</p>
    </>
  )
}
