import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { useTexts } from "../language/Language.ts"
import { Button } from "./Button.tsx"

/**
 * The browser's own modal dialog: it keeps the focus inside, closes with Escape and gives the focus back. Mounting it opens it.
 */
export const Dialog = (props: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  readonly wide?: boolean
}) => {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const texts = useTexts()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // the first field, else the first of the closing buttons, which takes nothing away
    dialog?.querySelector<HTMLElement>(":is(.dialog-text :is(input, textarea, select), footer button)")?.focus()
    // closed before it is removed, so that the focus goes back
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={props.wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        // the owner decides, by no longer showing the dialog
        event.preventDefault()
        props.onClose()
      }}
    >
      <header>
        <h2 id={id}>{props.title}</h2>
        <Button look="quiet" icon="close" label={texts.actions.close} onClick={props.onClose} />
      </header>
      {props.children}
    </dialog>
  )
}

/** Asks before something that cannot be undone. */
export const Confirm = (props: {
  readonly title: string
  readonly text: ReactNode
  readonly action: string
  readonly busy?: boolean
  readonly failure?: string | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
}) => {
  const texts = useTexts()
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className="dialog-text">{props.text}</div>
      {props.failure && (
        <p className="failure" role="alert">
          {props.failure}
        </p>
      )}
      <footer>
        <Button onClick={props.onClose}>{texts.actions.cancel}</Button>
        <Button look="danger" disabled={props.busy} onClick={props.onConfirm}>
          {props.action}
        </Button>
      </footer>
    </Dialog>
  )
}
