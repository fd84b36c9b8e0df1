import * as Either from "effect/Either"
import { useState } from "react"
import { Confirm } from "../design/Dialog.tsx"
import { useNotice } from "../design/Notice.tsx"
import { useCall } from "../host/Call.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"

/** Asks, with their number, before every ended task of the Host is removed. */
export const DeleteInactive = ({ count, onClose }: { readonly count: number; readonly onClose: () => void }) => {
  const texts = useTexts()
  const message = useMessage()
  const call = useCall()
  const notice = useNotice()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const remove = async () => {
    setBusy(true)
    const answer = await call((host) => host("schedule.deleteInactive", undefined))
    setBusy(false)
    if (Either.isLeft(answer)) return setFailure(message(answer.left))
    notice(texts.deleteInactive.done(answer.right))
    onClose()
  }
  return (
    <Confirm
      title={texts.deleteInactive.title(count)}
      text={<p>{texts.deleteInactive.text}</p>}
      action={texts.actions.delete}
      busy={busy}
      failure={failure}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
