/**
 * JSON from whoever can reach a Host.
 *
 * @since 0.1.0
 */

/**
 * How many arrays and objects may be in each other: 64. What any call takes has fewer than ten.
 *
 * @since 0.1.0
 * @category constants
 */
export const maxDepth = 64

/**
 * The value of a text. Throws what `JSON.parse` throws, and a `SyntaxError` for a value nested more deeply than {@link maxDepth}:
 * whatever looks at values level by level, such as a schema, would run out of stack.
 *
 * @since 0.1.0
 * @category decoding
 */
export const parse = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  if (isWithin(value, maxDepth)) return value
  throw new SyntaxError(`the JSON is nested more than ${maxDepth} levels deep`)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isWithin(member, depth - 1)))
