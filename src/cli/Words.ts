/**
 * A command line as its words, the way a shell splits one, without anything that a shell would expand.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as CliFailure from "./CliFailure.ts"

/**
 * Splits at spaces; `'…'` keeps everything, `"…"` everything but `\"` and `\\`, and `\` the character after it. An empty line has no
 * program and is refused.
 *
 * @since 0.1.0
 * @category parsing
 */
export const split = (text: string): Either.Either<readonly [string, ...Array<string>], CliFailure.CliFailure> => {
  const words: Array<string> = []
  let word: string | undefined
  let quote = ""
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (quote === "'" ? character === "'" : character === quote) {
      quote = ""
    } else if (
      character === "\\" &&
      quote !== "'" &&
      i + 1 < text.length &&
      (quote === "" || /["\\]/.test(text[i + 1]!))
    ) {
      word = (word ?? "") + text[++i]!
    } else if (quote === "" && (character === "'" || character === '"')) {
      quote = character
      word ??= ""
    } else if (quote === "" && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? "") + character
    }
  }
  if (quote !== "") return Either.left(CliFailure.refused("usage", `${quote} is not closed in ${JSON.stringify(text)}`))
  if (word !== undefined) words.push(word)
  const [first, ...rest] = words
  return first === undefined
    ? Either.left(CliFailure.refused("usage", "a command line needs a program"))
    : Either.right([first, ...rest])
}
