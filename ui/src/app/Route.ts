/** Where in the page one is, kept in the address after `#`. */
import { Atom, useAtomValue } from "@effect-atom/atom-react"

export type Route =
  | { readonly view: "tasks"; readonly id?: string; readonly tab: "rules" | "records" }
  | { readonly view: "timeline" }
  | { readonly view: "sessions"; readonly id?: string }

export const parse = (hash: string): Route => {
  const [view, id, tab] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decode)
  const one = id ? { id } : {}
  switch (view) {
    case "timeline":
      return { view }
    case "sessions":
      return { view, ...one }
    default:
      return { view: "tasks", ...one, tab: tab === "records" ? "records" : "rules" }
  }
}

/** The link to a place. */
export const href = (route: { readonly view: Route["view"]; readonly id?: string; readonly tab?: string }): string =>
  `#/${[route.view, route.id, route.tab === "records" ? "records" : undefined]
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`

export const route: Atom.Atom<Route> = Atom.keepAlive(
  Atom.make((get) => {
    const listen = () => get.setSelf(parse(location.hash))
    addEventListener("hashchange", listen)
    get.addFinalizer(() => removeEventListener("hashchange", listen))
    return parse(location.hash)
  })
)

export const useRoute = (): Route => useAtomValue(route)

/** Goes to a place. */
export const go = (...args: Parameters<typeof href>): void => {
  location.hash = href(...args)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
