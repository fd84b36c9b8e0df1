/**
 * `host.json`: where the running Host of a home answers.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type Home, type HomeUnusable, unusable } from "./Home.ts"

/**
 * The address of a Host and its process.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HostAddress = Schema.Struct({
  /** Such as `http://127.0.0.1:7345`. */
  url: Schema.String,
  pid: Schema.Int.pipe(Schema.positive())
})

/**
 * @since 0.1.0
 * @category models
 */
export type HostAddress = typeof HostAddress.Type

/**
 * Says where this process answers, until the scope closes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const publish = (home: Home, url: string): Effect.Effect<void, HomeUnusable, FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    const fresh = `${home.host}.${process.pid}`
    const write = fs
      .writeFileString(fresh, `${encode({ url, pid: process.pid })}\n`, { mode: 0o600 })
      .pipe(Effect.zipRight(fs.rename(fresh, home.host)))
    const ours = Effect.map(
      read(home),
      Option.exists(({ pid }) => pid === process.pid)
    )
    yield* Effect.acquireRelease(write, () => Effect.ignore(Effect.whenEffect(fs.remove(home.host), ours)))
  }).pipe(Effect.mapError((error) => unusable(home.host, error)))

/**
 * Where the running Host of a home answers. A file that a killed Host left behind counts as none.
 *
 * @since 0.1.0
 * @category getters
 */
export const find = (home: Home): Effect.Effect<Option.Option<HostAddress>, never, FileSystem> =>
  Effect.map(
    read(home),
    Option.filter(({ pid }) => isAlive(pid))
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const json = Schema.parseJson(HostAddress)
const encode = Schema.encodeSync(json)

const read = (home: Home): Effect.Effect<Option.Option<HostAddress>, never, FileSystem> =>
  Effect.flatMap(FileSystem, (fs) => fs.readFileString(home.host)).pipe(
    Effect.flatMap(Schema.decode(json)),
    Effect.option
  )

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it is there, and belongs to someone else
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
