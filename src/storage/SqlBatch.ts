/**
 * Statements over many rows at once, which cost a fraction of one statement per row.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Statements } from "./SqlConnection.ts"

/**
 * A statement text for a number of rows. There are only few such numbers, so every text is built, and prepared, once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const statement = (text: (rows: number) => string): ((rows: number) => string) => {
  const texts = new Map<number, string>()
  return (rows) => {
    const known = texts.get(rows)
    if (known !== undefined) return known
    const built = text(rows)
    texts.set(rows, built)
    return built
  }
}

/**
 * Placeholders for rows of whole numbers, or of text where `text` has the place of the column, for a list of values that stands by
 * itself and has to tell its types.
 *
 * @since 0.1.0
 * @category constructors
 */
export const typedValues = (rows: number, columns: number, text: ReadonlyArray<number> = []): string => {
  const types = Array.from(
    { length: columns },
    (_, column) => `CAST(? AS ${text.includes(column) ? "text" : "bigint"})`
  )
  return Array<string>(rows)
    .fill(`(${types.join(", ")})`)
    .join(", ")
}

/**
 * Placeholders for rows of columns: `(?, ?), (?, ?)`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const values = (rows: number, columns: number): string =>
  Array<string>(rows)
    .fill(`(${placeholders(columns)})`)
    .join(", ")

/**
 * Placeholders for one column: `?, ?`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const placeholders = (columns: number): string => Array<string>(columns).fill("?").join(", ")

/**
 * Runs an effect for all rows, in batches of the few sizes that statements are built for.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forEach = <A, B, E>(
  { dialect }: Pick<Statements, "dialect">,
  rows: ReadonlyArray<A>,
  run: (batch: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>
): Effect.Effect<ReadonlyArray<B>, E> => {
  if (rows.length === 1) return run(rows)
  const batches: Array<ReadonlyArray<A>> = []
  for (let i = 0; i < rows.length; ) {
    const size = dialect.batches.find((size) => size <= rows.length - i) ?? 1
    batches.push(rows.slice(i, i + size))
    i += size
  }
  return Effect.map(Effect.forEach(batches, run), (answers) => answers.flat())
}
