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
 * What a field may hold. Values above `last` and up to `max` are other names of the first ones, as Sunday's 7 is.
 *
 * @since 0.1.0
 * @category models
 */
export interface FieldRange {
  readonly name: string
  readonly first: number
  readonly last: number
  readonly max: number
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
  for (const element of text.split(",")) {
    const match = shape.exec(element)
    if (match === null) {
      return `cron ${range.name} ${JSON.stringify(element)} is not one of *, v, a-b, */n, a-b/n`
    }
    const [, starStep, start, end, step] = match
    const from = start === undefined ? range.first : Number(start)
    const to = start === undefined ? range.last : end === undefined ? from : Number(end)
    const by = Number(starStep ?? step ?? 1)
    if (from < range.first || from > range.max || to > range.max) {
      return `cron ${range.name} ${JSON.stringify(element)} is out of range: use ${range.first}-${range.max}`
    }
    if (to < from) return `cron ${range.name} ${JSON.stringify(element)} ends before it begins`
    if (by < 1) return `cron ${range.name} ${JSON.stringify(element)} steps by zero: use 1 or more`
    for (let v = from; v <= to; v += by) {
      const value = v > range.last ? range.first + v - range.last - 1 : v
      if (value < 32) low |= 1 << value
      else high |= 1 << (value - 32)
    }
  }
  return { star: text.startsWith("*"), low, high }
}

/**
 * The canonical text of a field.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = (field: CronField, range: FieldRange): string => {
  const values = valuesOf(field, range)
  if (!field.star) return formatList(values)
  const size = range.last - range.first + 1
  // The smallest step whose whole walk is in the set covers the most of it: a longer step walks fewer values.
  let by = 1
  while (!walkIsIn(field, range, by)) by++
  if (by === 1 && values.length === size) return "*"
  const rest = values.filter((value) => (value - range.first) % by !== 0)
  return rest.length === 0 ? `*/${by}` : `*/${by},${formatList(rest)}`
}

/**
 * Whether a field holds a value.
 *
 * @since 0.1.0
 * @category predicates
 */
export const has = (field: CronField, value: number): boolean =>
  value < 32 ? (field.low & (1 << value)) !== 0 : (field.high & (1 << (value - 32))) !== 0

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

const shape = /^(?:\*(?:\/(\d+))?|(\d+)(?:-(\d+)(?:\/(\d+))?)?)$/

const walkIsIn = (field: CronField, range: FieldRange, by: number): boolean => {
  for (let value = range.first; value <= range.last; value += by) {
    if (!has(field, value)) return false
  }
  return true
}

const formatList = (values: ReadonlyArray<number>): string => {
  const first = values[0]!
  const last = values[values.length - 1]!
  if (values.length === 1) return `${first}`
  const by = values[1]! - first
  if (values.every((value, i) => value === first + i * by))
    return by === 1 ? `${first}-${last}` : `${first}-${last}/${by}`
  const runs: Array<string> = []
  for (let i = 0; i < values.length; ) {
    let j = i
    while (j + 1 < values.length && values[j + 1] === values[j]! + 1) j++
    runs.push(i === j ? `${values[i]}` : `${values[i]}-${values[j]}`)
    i = j + 1
  }
  return runs.join(",")
}
