import { useLocale, useTexts } from "../language/Language.ts"
import { useNow } from "./Clock.ts"
import * as Format from "./Format.ts"

/** How long until an instant, or since it. */
export const Relative = ({ at }: { readonly at: number }) => {
  const locale = useLocale()
  return <time dateTime={new Date(at).toISOString()}>{Format.relative(at, useNow(), locale)}</time>
}

/** An instant in a zone, and in the viewer's where that differs, with how long it is from now. */
export const Moment = ({
  at,
  zone = Format.viewerZone
}: {
  readonly at: number
  readonly zone?: string | undefined
}) => {
  const locale = useLocale()
  const texts = useTexts()
  const differs = Format.offset(at, zone) !== Format.offset(at, Format.viewerZone)
  return (
    <span className="moment">
      <time dateTime={new Date(at).toISOString()}>{Format.absolute(at, zone, locale)}</time>
      <small>
        {zone === Format.viewerZone ? "" : `${zone} · `}
        {differs && `${Format.absolute(at, Format.viewerZone, locale)} ${texts.time.yours} · `}
        <Relative at={at} />
      </small>
    </span>
  )
}
