/**
 * One field of a cron expression: a set of values, and whether its text started with `*`.
 *
 * @since 0.1.0
 */

/**
 * Bit `v` of `low` stands for the value `v` up to 31, bit `v - 32` of `high` for those above.
 *
 * @since 0.1.0
 * @category models
 */
export interface CronField {
  readonly star: boolean
  readonly low: number
  readonly high: number
}

/**
 * What a field may hold. A value above `last` and up to `max` is another name of the first one, as 7 is of Sunday.
 *
 * @since 0.1.0
 * @category models
 */
export interface FieldRange {
  readonly name: string
  readonly first: number
  readonly last: number
  readonly max: number
  /** What `*` walks over with a step of 1, of 2 and so on, until a walk holds the first value alone. */
  readonly walks: ReadonlyArray<CronField>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const range = (name: string, first: number, last: number, max = last): FieldRange => {
  const steps = Array.from({ length: last - first + 1 }, (_, i) => i + 1)
  return { name, first, last, max, walks: steps.map((step) => walk(first, last, step)) }
}

/**
 * The set that a field's text names, or a message that says what is wrong with it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parse = (text: string, range: FieldRange): CronField | string => {
  let low = 0
  let high = 0
  cursor = 0
  while (true) {
    const begin = cursor
    let from = range.first
    let to = range.last
    let by = 1
    let isPlain = false
    if (text.charCodeAt(cursor) === asterisk) {
      cursor++
    } else {
      from = to = readNumber(text)
      isPlain = text.charCodeAt(cursor) !== minus
      if (!isPlain) {
        cursor++
        to = readNumber(text)
      }
    }
    if (!isPlain && text.charCodeAt(cursor) === slash) {
      cursor++
      by = readNumber(text)
    }
    const isLast = cursor === text.length
    if (from < 0 || to < 0 || by < 0 || !(isLast || text.charCodeAt(cursor) === comma)) {
      return problem(text, begin, range, "is not one of *, v, a-b, */n, a-b/n")
    }
    if (from < range.first || from > range.max || to < range.first || to > range.max) {
      return problem(text, begin, range, `is out of range: use ${range.first}-${range.max}`)
    }
    if (to < from) return problem(text, begin, range, "ends before it begins")
    if (by === 0) return problem(text, begin, range, "has a step of zero: use 1 or more")
    for (let v = from; v <= to; v += by) {
      const value = v > range.last ? range.first : v
      if (value < 32) low |= 1 << value
      else high |= 1 << (value - 32)
    }
    if (isLast) return { star: text.charCodeAt(0) === asterisk, low, high }
    cursor++
  }
}

/**
 * The canonical text of a field.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = ({ high, low, star }: CronField, range: FieldRange): string => {
  if (!star) return formatList(low, high)
  // The smallest step whose whole walk is in the set covers the most of it: longer steps walk over fewer values.
  let i = 0
  while (!includes(low, high, range.walks[i]!)) i++
  const walk = range.walks[i]!
  const head = i === 0 ? "*" : `*/${i + 1}`
  return low === walk.low && high === walk.high ? head : `${head},${formatList(low & ~walk.low, high & ~walk.high)}`
}

/**
 * Whether a field holds a value.
 *
 * @since 0.1.0
 * @category predicates
 */
export const has = ({ high, low }: CronField, value: number): boolean => hasBit(low, high, value)

/**
 * The values of a field, ascending.
 *
 * @since 0.1.0
 * @category getters
 */
export const valuesOf = (field: CronField, range: FieldRange): ReadonlyArray<number> => {
  const values: Array<number> = []
  for (let value = range.first; value <= range.last; value++) {
    if (has(field, value)) values.push(value)
  }
  return values
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const asterisk = 42
const comma = 44
const minus = 45
const slash = 47

// Where reading stands: a second result of `readNumber` that costs nothing.
let cursor = 0

// Larger than any value of a field, and still far from the largest integer.
const tooLarge = 1000

/** The number at the cursor, moving it past the digits; -1 when there is none. */
const readNumber = (text: string): number => {
  let value = -1
  for (; cursor < text.length; cursor++) {
    const digit = text.charCodeAt(cursor) - 48
    if (digit < 0 || digit > 9) break
    value = value < 0 ? digit : Math.min(value * 10 + digit, tooLarge)
  }
  return value
}

const problem = (text: string, begin: number, range: FieldRange, what: string): string => {
  const end = text.indexOf(",", begin)
  const element = text.slice(begin, end < 0 ? text.length : end)
  return `cron ${range.name} ${JSON.stringify(element.slice(0, 40))} ${what}`
}

const walk = (first: number, last: number, step: number): CronField => {
  let low = 0
  let high = 0
  for (let value = first; value <= last; value += step) {
    if (value < 32) low |= 1 << value
    else high |= 1 << (value - 32)
  }
  return { star: true, low, high }
}

const includes = (low: number, high: number, part: CronField): boolean =>
  (low & part.low) === part.low && (high & part.high) === part.high

const hasBit = (low: number, high: number, value: number): boolean =>
  ((value < 32 ? low >>> value : high >>> (value - 32)) & 1) === 1

/** The first value from `from` on, or `none`. */
const valueFrom = (low: number, high: number, from: number): number => {
  const inLow = from < 32 ? low & (-1 << from) : 0
  if (inLow !== 0) return 31 - Math.clz32(inLow & -inLow)
  const inHigh = from < 32 ? high : high & (-1 << (from - 32))
  return inHigh === 0 ? none : 63 - Math.clz32(inHigh & -inHigh)
}

const none = 64

/** One value, values a uniform step apart, or a list of runs. */
const formatList = (low: number, high: number): string => {
  const first = valueFrom(low, high, 0)
  const second = valueFrom(low, high, first + 1)
  if (second === none) return `${first}`
  const step = second - first
  let last = second
  for (let value = valueFrom(low, high, last + 1); value !== none; value = valueFrom(low, high, last + 1)) {
    if (value - last !== step) return formatRuns(low, high)
    last = value
  }
  return step === 1 ? `${first}-${last}` : `${first}-${last}/${step}`
}

const formatRuns = (low: number, high: number): string => {
  let text = ""
  for (let first = valueFrom(low, high, 0); first !== none; ) {
    let last = first
    while (hasBit(low, high, last + 1)) last++
    text += `${text === "" ? "" : ","}${first === last ? first : `${first}-${last}`}`
    first = valueFrom(low, high, last + 1)
  }
  return text
}
