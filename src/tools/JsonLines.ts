/**
 * Lines of JSON on a byte stream, as peers over stdio exchange them.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"

/**
 * A line that is not JSON, or longer than is read.
 *
 * @since 0.1.0
 * @category models
 */
export type Unreadable = "malformed" | "too long"

/**
 * The JSON value of each line; blank lines are passed over, and a last line needs no end. Characters that arrive in pieces
 * are put together. A line of more than `maxLine` UTF-16 code units is not kept in memory.
 *
 * @since 0.1.0
 * @category combinators
 */
export const decode = <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  options: { readonly maxLine: number }
): Stream.Stream<Either.Either<unknown, Unreadable>, E, R> =>
  Stream.suspend(() => {
    const lines = new Lines(options.maxLine)
    return bytes.pipe(
      Stream.mapConcat((chunk) => lines.push(chunk)),
      Stream.concat(Stream.suspend(() => Stream.fromIterable(lines.end())))
    )
  })

/**
 * A value as a line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const encode = (value: unknown): string => `${JSON.stringify(value)}\n`

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

class Lines {
  private readonly decoder = new TextDecoder()
  private readonly maxLine: number
  private rest = ""
  private isTooLong = false

  constructor(maxLine: number) {
    this.maxLine = maxLine
  }

  push(chunk: Uint8Array): ReadonlyArray<Either.Either<unknown, Unreadable>> {
    return this.read(this.decoder.decode(chunk, { stream: true }))
  }

  end(): ReadonlyArray<Either.Either<unknown, Unreadable>> {
    return this.read(`${this.decoder.decode()}\n`)
  }

  private read(text: string): ReadonlyArray<Either.Either<unknown, Unreadable>> {
    const pieces = text.split("\n")
    const values: Array<Either.Either<unknown, Unreadable>> = []
    pieces.forEach((piece, i) => {
      this.isTooLong ||= this.rest.length + piece.length > this.maxLine
      this.rest = this.isTooLong ? "" : this.rest + piece
      if (i === pieces.length - 1) return
      if (this.isTooLong) values.push(Either.left("too long"))
      else if (this.rest.trim() !== "") values.push(parse(this.rest))
      this.rest = ""
      this.isTooLong = false
    })
    return values
  }
}

const parse = (line: string): Either.Either<unknown, Unreadable> =>
  Either.try({ try: () => JSON.parse(line), catch: () => "malformed" as const })
