import { useAtomValue } from "@effect-atom/atom-react"
import { useEffect, useState } from "react"
import { Icon } from "../design/Icon.tsx"
import { connection } from "../host/Live.ts"
import { useTexts } from "../language/Language.ts"

/** Whether the page hears the Host, in a word. */
export const ConnectionState = () => {
  const texts = useTexts()
  const { _tag } = useAtomValue(connection)
  return (
    <span className={`connection ${_tag}`} role="status">
      <i />
      <span>{texts.connection[_tag]}</span>
    </span>
  )
}

/** What it means that the Host does not answer, and what to do when it is the sign-in that has ended. */
export const ConnectionLost = () => {
  const texts = useTexts()
  const lost = useLasting(useAtomValue(connection)._tag === "Lost")
  const signedOut = useSignedOut(lost)
  if (!lost) return null
  return (
    <div className="banner" role="alert">
      <Icon name="warning" />
      <p>{signedOut ? texts.connection.signedOut : texts.connection.lost}</p>
    </div>
  )
}

// A Host that is back in a moment is not worth a line that moves the page.
const patience = 1000

const useLasting = (is: boolean): boolean => {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!is) return setLasting(false)
    const timer = setTimeout(() => setLasting(true), patience)
    return () => clearTimeout(timer)
  }, [is])
  return lasting
}

// A browser does not tell why a WebSocket was refused; a plain call does.
const useSignedOut = (lost: boolean): boolean => {
  const [signedOut, setSignedOut] = useState(false)
  useEffect(() => {
    if (!lost) return setSignedOut(false)
    let wanted = true
    const ask = () =>
      fetch("/readyz").then(
        ({ status }) => wanted && setSignedOut(status === 401),
        () => undefined
      )
    ask()
    const timer = setInterval(ask, 2000)
    return () => {
      wanted = false
      clearInterval(timer)
    }
  }, [lost])
  return signedOut
}
