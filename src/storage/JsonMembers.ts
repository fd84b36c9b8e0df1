/**
 * Reads the members of JSON objects one at a time from text that comes in pieces, so that a document larger than a string can
 * be never stands in memory whole.
 *
 * @since 0.1.0
 */

/**
 * What is done with an object's members. A path names an object by the keys on the way to it, joined by `/`; the document
 * itself is the empty path.
 *
 * @since 0.1.0
 * @category models
 */
export interface Handlers {
  /** Whether the value at a path must be an object whose members are read one by one. */
  readonly isOpened: (path: string) => boolean
  /** Such an object begins. */
  readonly onOpen: (path: string) => void
  /** A member of an opened object whose value is read whole. */
  readonly onMember: (path: string, key: string, value: unknown) => void
  /** The error to throw for text that is not such a document. */
  readonly fail: (problem: string) => Error
}

/**
 * A reader that is fed with `push` and told with `end` that the text is over; both throw what the handlers throw.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ fail, isOpened, onMember, onOpen }: Handlers) => {
  let text = ""
  let position = 0
  let line = 1
  /** The opened objects around the position, by the keys on the way. */
  const path: Array<string> = []
  let key = ""
  let expected: Expected = "value"
  /** Where the scan of an incomplete value stands. */
  let scan: Scan | undefined

  const failHere = (problem: string) => fail(`line ${line + countLines(text, position)}: ${problem}`)
  const pathOf = () => path.slice(1).join("/")

  /** Takes one token; answers whether there was one. */
  const step = (): boolean => {
    while (isSpace(text.charCodeAt(position))) position++
    if (position >= text.length) return false
    const char = text[position]
    switch (expected) {
      case "key or end":
      case "key": {
        if (char === "}" && expected === "key or end") return close()
        if (char !== '"') throw failHere("expected a key in double quotes")
        const found = take()
        if (found === undefined) return false
        key = String(found)
        expected = "colon"
        return true
      }
      case "colon":
        if (char !== ":") throw failHere("expected a colon")
        position++
        expected = "value"
        return true
      case "comma or end":
        if (char === "}") return close()
        if (char !== ",") throw failHere("expected a comma or a closing brace")
        position++
        expected = "key"
        return true
      case "nothing":
        throw failHere("expected nothing behind the document")
      case "value":
        return value(char)
    }
  }

  const value = (char: string | undefined): boolean => {
    const inner = path.length === 0 ? "" : [...path.slice(1), key].join("/")
    if (isOpened(inner)) {
      if (char !== "{") throw failHere(`${inner || "the document"} must be an object`)
      position++
      path.push(key)
      onOpen(inner)
      expected = "key or end"
      return true
    }
    const found = take()
    if (found === undefined) return false
    onMember(pathOf(), key, found)
    expected = "comma or end"
    return true
  }

  const close = (): boolean => {
    position++
    path.pop()
    expected = path.length === 0 ? "nothing" : "comma or end"
    return true
  }

  /** The whole value at the position, or undefined while its end is not there; no JSON value is undefined. */
  const take = (): unknown => {
    scan ??= { at: position, depth: 0, inString: false, escaped: false }
    if (!findEnd(text, scan)) return undefined
    const source = text.slice(position, scan.at)
    try {
      const found = JSON.parse(source)
      position = scan.at
      scan = undefined
      return found
    } catch (cause) {
      throw failHere(`${key === "" ? "" : `${JSON.stringify(key)}: `}${String(Object(cause).message)}`)
    }
  }

  return {
    push: (more: string): void => {
      if (position > 0) {
        line += countLines(text, position)
        if (scan !== undefined) scan.at -= position
        text = text.slice(position)
        position = 0
      }
      text += more
      while (step());
    },
    end: (): void => {
      if (expected !== "nothing") throw failHere("the document ends early")
    }
  }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Expected = "key or end" | "key" | "colon" | "value" | "comma or end" | "nothing"

interface Scan {
  at: number
  depth: number
  inString: boolean
  escaped: boolean
}

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

const countLines = (text: string, end: number): number => {
  let count = 0
  for (let i = text.indexOf("\n"); i >= 0 && i < end; i = text.indexOf("\n", i + 1)) count++
  return count
}

/**
 * Moves a scan behind the end of its value, or to the end of the text when that is not there yet. A number or literal ends
 * where something follows it. What is between is left to `JSON.parse`.
 */
const findEnd = (text: string, scan: Scan): boolean => {
  let { at, depth, escaped, inString } = scan
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (escaped) escaped = false
      else if (code === 92) escaped = true
      else if (code === 34) {
        inString = false
        if (depth === 0) return finish(scan, at + 1)
      }
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) {
      if (depth === 0) return finish(scan, at)
      if (--depth === 0) return finish(scan, at + 1)
    } else if (depth === 0 && (code === 44 || isSpace(code))) return finish(scan, at)
  }
  Object.assign(scan, { at, depth, escaped, inString })
  return false
}

const finish = (scan: Scan, at: number): true => {
  scan.at = at
  return true
}
