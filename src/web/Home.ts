/**
 * The home directory of a Host: everything it keeps.
 *
 * @since 0.1.0
 */
import { join, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import { FileSystem } from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The home directory cannot be used. Mend what `message` names, or choose another with `--home`.
 *
 * @since 0.1.0
 * @category errors
 */
export class HomeUnusable extends Schema.TaggedError<HomeUnusable>("host-schedule/web/HomeUnusable")("HomeUnusable", {
  message: Schema.String
}) {}

/**
 * The paths of a home directory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Home {
  readonly dir: string
  readonly sqlite: string
  readonly json: string
  readonly sessions: string
  readonly workspace: string
  /** The secret of this Host's clients, 0600. */
  readonly token: string
  /** The address and pid of the running Host. */
  readonly host: string
  /** Optional settings; flags and environment come first. */
  readonly config: string
}

/**
 * The paths under a directory, whether it exists or not.
 *
 * @since 0.1.0
 * @category constructors
 */
export const at = (directory: string): Home => {
  const dir = resolve(directory)
  return {
    dir,
    sqlite: join(dir, "schedule.db"),
    json: join(dir, "schedule.json"),
    sessions: join(dir, "sessions"),
    workspace: join(dir, "workspace.json"),
    token: join(dir, "token"),
    host: join(dir, "host.json"),
    config: join(dir, "config.json")
  }
}

/**
 * Makes the directory, mode 0700, unless it is there. One that is there keeps its mode: what is secret in it has its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (directory: string): Effect.Effect<Home, HomeUnusable, FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem
    const home = at(directory)
    yield* fs.makeDirectory(home.dir, { recursive: true, mode: 0o700 })
    // says now, by name, what would otherwise fail somewhere in the middle
    yield* fs.access(home.dir, { readable: true, writable: true })
    yield* fs.readDirectory(home.dir)
    return home
  }).pipe(Effect.mapError((error) => unusable(directory, error)))

/**
 * @since 0.1.0
 * @category constructors
 */
export const unusable = (path: string, error: PlatformError): HomeUnusable =>
  new HomeUnusable({
    message: `cannot use ${path}: ${reason(error)}; make it a directory that you can read and write, or choose another with --home`
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const reason = (error: PlatformError): string => {
  if (error._tag === "BadArgument") return error.message
  switch (error.reason) {
    case "PermissionDenied":
      return "permission denied"
    case "AlreadyExists":
    case "BadResource":
      return "it is not a directory"
    default:
      return error.description ?? error.reason
  }
}
