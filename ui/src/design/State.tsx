import { useAtomValue } from "@effect-atom/atom-react"
import type { ReactNode } from "react"
import { connection, type Reading, useRefresh } from "../host/Live.ts"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

/** Nothing to show, and what to do about it. */
export const Empty = (props: { readonly title: string; readonly hint?: string; readonly children?: ReactNode }) => (
  <div className="empty">
    <p className="empty-title">{props.title}</p>
    {props.hint && <p>{props.hint}</p>}
    {props.children}
  </div>
)

/** The name of a pane, for screen readers: the page's first heading while the pane has the page for itself. */
export const PaneHeading = ({ first, text }: { readonly text: string; readonly first: boolean }) =>
  first ? <h1 className="unseen">{text}</h1> : <h2 className="unseen">{text}</h2>

/**
 * What was read, or that it is being read, or why it could not be read. A value that is there stays, with a note when it could
 * not be read again.
 */
export const Read = <A, E extends { readonly message: string }>(props: {
  readonly reading: Reading<A, E>
  readonly children: (value: A) => ReactNode
}) => {
  const texts = useTexts()
  const message = useMessage()
  const isLost = useAtomValue(connection)._tag === "Lost"
  const { failure, value } = props.reading
  if (value === undefined && failure === undefined) {
    return (
      <div className="loading" role="status">
        <span className="unseen">{texts.reading.loading}</span>
        <i />
        <i />
        <i />
        <i />
      </div>
    )
  }
  return (
    <>
      {/* that the Host does not answer is told once, for the whole page */}
      {failure && (value === undefined || !isLost) && (
        <div className={value === undefined ? "read-failed" : "read-stale"} role="alert">
          <Icon name="warning" />
          <p>
            <strong>{value === undefined ? texts.reading.failed : texts.reading.stale}</strong> {message(failure)}
          </p>
          <Retry />
        </div>
      )}
      {value !== undefined && props.children(value)}
    </>
  )
}

const Retry = () => {
  const texts = useTexts()
  return <Button onClick={useRefresh()}>{texts.reading.retry}</Button>
}
