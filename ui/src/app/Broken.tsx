import { Component, type ReactNode } from "react"
import { Button } from "../design/Button.tsx"
import { Empty } from "../design/State.tsx"
import { useTexts } from "../language/Language.ts"

/** A mistake in one view leaves the rest of the page working; going elsewhere tries again. */
export class Broken extends Component<
  { readonly place: string; readonly children: ReactNode },
  { readonly broken: string | undefined }
> {
  override state = { broken: undefined }

  static getDerivedStateFromError() {
    return { broken: "" }
  }

  override componentDidCatch() {
    this.setState({ broken: this.props.place })
  }

  override componentDidUpdate() {
    const { broken } = this.state as { readonly broken: string | undefined }
    if (broken && broken !== this.props.place) this.setState({ broken: undefined })
  }

  override render() {
    return this.state.broken === undefined ? this.props.children : <Sorry />
  }
}

const Sorry = () => {
  const texts = useTexts().broken
  return (
    <Empty title={texts.title} hint={texts.hint}>
      <Button onClick={() => location.reload()}>{texts.reload}</Button>
    </Empty>
  )
}
