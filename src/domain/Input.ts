/**
 * Reading what a caller hands over, of which nothing is known.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import { refuse, type ScheduleInputError } from "./ScheduleInputError.ts"
import { maxTitleLength } from "./ScheduleRecord.ts"

/**
 * The members of an object, detached from it.
 *
 * @since 0.1.0
 * @category models
 */
export type Fields = Readonly<Record<string, unknown>>

/**
 * A detached copy of what JSON would carry of a value: own enumerable members that are not `undefined`, and array elements.
 * Whatever cannot be read (a getter or trap that throws, nesting beyond 16 levels, a huge array) becomes `null`, which no rule
 * accepts; so nothing that works on a copy can throw, or see a value change between two looks.
 *
 * @since 0.1.0
 * @category constructors
 */
export const snapshot = (value: unknown): unknown => copy(value, { left: maxMembers }, maxDepth)

/**
 * Whether a {@link snapshot} is an object with members.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * The first member that is not among the allowed ones, quoted for a message.
 *
 * @since 0.1.0
 * @category getters
 */
export const unknownKey = (fields: Fields, allowed: ReadonlyArray<string>): string | undefined => {
  const key = Object.keys(fields).find((key) => !allowed.includes(key))
  return key === undefined ? undefined : JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key)
}

/**
 * A title, trimmed; fails with `invalid_prompt`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const title = (value: unknown): Either.Either<string, ScheduleInputError> => {
  const text = trimmed(value)
  return text.length > 0 && text.length <= maxTitleLength
    ? Either.right(text)
    : refuse("invalid_prompt", `title must be a text of 1 to ${maxTitleLength} characters, not counting outer spaces`)
}

/**
 * A prompt, trimmed; fails with `invalid_prompt`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const prompt = (value: unknown): Either.Either<string, ScheduleInputError> => {
  const text = trimmed(value)
  return text.length > 0 ? Either.right(text) : refuse("invalid_prompt", "prompt must be a text that is not blank")
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Far more than any request has, all levels together.
const maxMembers = 1000
const maxDepth = 16

const copy = (value: unknown, budget: { left: number }, depth: number): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (depth === 0) return null
  try {
    const keys = Array.isArray(value) ? value.length : Object.keys(value)
    budget.left -= typeof keys === "number" ? keys : keys.length
    if (budget.left < 0) return null
    if (typeof keys === "number") {
      return Array.from({ length: keys }, (_, i) => copy(Reflect.get(value, i), budget, depth - 1))
    }
    // Without a prototype, so that a member called __proto__ is a member like others.
    const fields: Record<string, unknown> = Object.create(null)
    for (const key of keys) {
      const member = copy(Reflect.get(value, key), budget, depth - 1)
      if (member !== undefined) fields[key] = member
    }
    return fields
  } catch {
    return null
  }
}

const trimmed = (value: unknown): string => (typeof value === "string" ? value.trim() : "")
