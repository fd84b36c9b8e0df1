/**
 * What is wrong with data that does not decode, told to whoever sent it.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"

/**
 * Where the first thing is that is wrong, `a.b.0`, empty for the whole, and what is; only that something is, when the data is
 * nested too deeply to be told of.
 *
 * @since 0.1.0
 * @category getters
 */
export const of = (error: ParseResult.ParseError): { readonly path: string; readonly message: string } => {
  const [issue] = Either.getOrElse(
    Either.try(() => ParseResult.ArrayFormatter.formatErrorSync(error)),
    () => []
  )
  return issue === undefined
    ? { path: "", message: "not as expected" }
    : { path: issue.path.map(String).join("."), message: issue.message }
}
