import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"

interface Props<A> {
  readonly label: string
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  /** The height of every item in pixels. */
  readonly height: number
  /** The item that should be in view and that the Tab key reaches. */
  readonly current?: string | undefined
  /** The item's one focusable element gets this. */
  readonly children: (item: A, tabIndex: number) => ReactNode
}

// Items beyond the edges, so that a quick scroll does not show gaps.
const beyond = 8

/**
 * A list of any length, of which only what is in view exists. The Tab key reaches one item; arrows, Page, Home and End move
 * from there.
 */
export const VirtualList = <A,>({ children, current, height, items, keyOf, label }: Props<A>) => {
  const ref = useRef<HTMLDivElement>(null)
  const view = useView(ref)
  const [active, setActive] = useState<string>()
  const indexOf = (key: string | undefined) => (key === undefined ? -1 : items.findIndex((item) => keyOf(item) === key))
  const found = indexOf(active)
  const reachable = Math.max(0, found >= 0 ? found : indexOf(current))

  const show = (index: number) => {
    const scroll = ref.current
    if (scroll === null) return
    const top = index * height
    if (top < scroll.scrollTop) scroll.scrollTop = top
    else if (top + height > scroll.scrollTop + scroll.clientHeight)
      scroll.scrollTop = top + height - scroll.clientHeight
  }

  // Brings a linked item into view once, not again whenever the list changes.
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (current === shown.current) return
    const index = indexOf(current)
    if (current !== undefined && index < 0) return
    shown.current = current
    if (index >= 0) show(index)
  })

  // The item that the keys moved to may have to be drawn before it can have the focus.
  const wanted = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const link = ref.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] > *`)
    if (!link) return
    wanted.current = undefined
    link.focus({ preventScroll: true })
  })

  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / height) - 1)
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -items.length, End: items.length }[
      event.key
    ]
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || items.length === 0) return
    event.preventDefault()
    const index = Math.min(items.length - 1, Math.max(0, reachable + by))
    wanted.current = index
    show(index)
    setActive(keyOf(items[index]!))
  }

  const first = Math.max(0, Math.floor(view.top / height) - beyond)
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / height) + beyond)
  const drawn = items.slice(first, last).map((item, i) => ({ item, index: first + i }))
  // what the Tab key reaches always exists
  if (reachable < items.length && (reachable < first || reachable >= last)) {
    drawn.push({ item: items[reachable]!, index: reachable })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the items, which have the focus
    <div className="list-scroll" ref={ref} onKeyDown={move}>
      <ul aria-label={label} style={{ height: items.length * height }}>
        {drawn.map(({ index, item }) => (
          <li
            key={keyOf(item)}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ height, transform: `translateY(${index * height}px)` }}
            onFocus={() => setActive(keyOf(item))}
          >
            {children(item, index === reachable ? 0 : -1)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The part of a scrolling element that is seen. */
const useView = (ref: { readonly current: HTMLElement | null }) => {
  const [view, setView] = useState({ top: 0, height: 0 })
  useLayoutEffect(() => {
    const scroll = ref.current
    if (scroll === null) return
    const look = () => setView({ top: scroll.scrollTop, height: scroll.clientHeight })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(scroll)
    scroll.addEventListener("scroll", look, { passive: true })
    return () => {
      observer.disconnect()
      scroll.removeEventListener("scroll", look)
    }
  }, [ref])
  return view
}
