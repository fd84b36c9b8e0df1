/**
 * The commands that work on the store itself: `check`, `export`, `import`.
 *
 * @since 0.1.0
 */
import { FileSystem } from "@effect/platform/FileSystem"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Check from "../storage/Check.ts"
import * as Shard from "../storage/Shard.ts"
import * as Transfer from "../storage/Transfer.ts"
import * as Backends from "../web/Backends.ts"
import * as Home from "../web/Home.ts"
import * as HostConfig from "../web/HostConfig.ts"
import * as CliFailure from "./CliFailure.ts"
import type * as Connection from "./Connection.ts"
import * as NumberFlag from "./NumberFlag.ts"
import * as Output from "./Output.ts"
import * as Progress from "./Progress.ts"
import * as Text from "./Text.ts"

type Flags = Connection.Options & { readonly json: boolean }

/**
 * Answers every problem with its key, and fails when there are some. With `repair` bad rows are moved into a file first.
 *
 * @since 0.1.0
 * @category execution
 */
export const check = ({ json, repair, ...flags }: Flags & { readonly repair: boolean }) =>
  Effect.gen(function* () {
    const storage = yield* storageOf(flags)
    const repaired = repair
      ? yield* Progress.during("Looking for bad rows in", (progress) => Check.repair(storage, { progress }))
      : { moved: [], file: undefined }
    const { problems, rows } = yield* Progress.during("Checking", (progress) => Check.check(storage, { progress }))
    const told = (errors: ReadonlyArray<{ readonly message: string }>) =>
      errors.map((error) => ({ code: CliFailure.fromError(error).code, ...keyOf(error), message: error.message }))
    const answer = {
      rows,
      problems: told(problems),
      moved: told(repaired.moved),
      ...(repaired.file === undefined ? {} : { file: repaired.file })
    }
    yield* Output.answer(json, answer, (style) =>
      [
        ...(answer.file === undefined
          ? []
          : [`${style.yellow("Moved")} ${Text.counted(answer.moved.length, "bad row")} to ${answer.file}`]),
        ...answer.moved.map((problem) => `  ${line(problem)}`),
        ...answer.problems.map((problem) => `${style.red("Problem")} ${line(problem)}`),
        answer.problems.length === 0
          ? `${style.green("Good")} ${Text.counted(rows, "reminder")}`
          : `${Text.counted(answer.problems.length, "problem")} in ${Text.counted(rows, "row")}`
      ].join("\n")
    )
    if (problems.length > 0) {
      return yield* CliFailure.refused(
        "store_problems",
        `the store has ${Text.counted(problems.length, "problem")}; mend them, or move bad rows aside with --repair`
      )
    }
  })

/**
 * Writes the document of the store to a new file, whole or not at all, or to stdout.
 *
 * @since 0.1.0
 * @category execution
 */
export const exportTo = ({ file, json, ...flags }: Flags & { readonly file: Option.Option<string> }) =>
  Effect.gen(function* () {
    const storage = yield* storageOf(flags)
    const document = (progress?: Progress.Tell) =>
      Stream.encodeText(Transfer.exportDocument(storage, progress && { progress }))
    if (Option.isNone(file)) {
      return yield* Stream.run(
        document(),
        NodeSink.fromWritable(
          () => process.stdout,
          (cause) => CliFailure.cannotRun("stdout_failed", String(cause)),
          { endOnDone: false }
        )
      )
    }
    const fs = yield* FileSystem
    const path = file.value
    // A part of a document looks like a backup: it does not stay.
    yield* Progress.during("Exporting", (progress) =>
      Effect.flatMap(fs.open(path, { flag: "wx", mode: 0o600 }), (file) =>
        Stream.runForEach(document(progress), (piece) => file.writeAll(piece)).pipe(
          Effect.zipRight(file.sync),
          Effect.onError(() => Effect.ignore(fs.remove(path)))
        )
      )
    ).pipe(
      Effect.scoped,
      Effect.catchTag("SystemError", ({ reason }) =>
        CliFailure.refused(
          "file_unusable",
          reason === "AlreadyExists" ? `${path} is there already; name another file` : `cannot write ${path}: ${reason}`
        )
      )
    )
    yield* Output.answer(json, { file: path }, (style) => `${style.green("Exported")} to ${path}`)
  })

/**
 * Reads a document into the store, all or nothing.
 *
 * @since 0.1.0
 * @category execution
 */
export const importFrom = ({
  file,
  json,
  merge,
  shards,
  ...flags
}: Flags & {
  readonly file: Option.Option<string>
  readonly merge: boolean
  readonly shards: string | undefined
}) =>
  Effect.gen(function* () {
    const wanted = yield* NumberFlag.within("shards", shards, [1, Shard.maxCount])
    const fs = yield* FileSystem
    const bytes = Option.isNone(file)
      ? NodeStream.fromReadable(
          () => process.stdin,
          (cause) => CliFailure.cannotRun("stdin_failed", String(cause))
        )
      : fs
          .stream(file.value)
          .pipe(
            Stream.mapError((error) =>
              CliFailure.refused("file_unusable", `cannot read ${file.value}: ${error.message}`)
            )
          )
    const storage = yield* storageOf(flags, wanted)
    const document = { name: Option.getOrElse(file, () => "stdin"), bytes }
    const { added, kept } = yield* Progress.during("Importing", (progress) =>
      Transfer.importDocument(storage, document, { merge, progress })
    )
    yield* Output.answer(
      json,
      { added, kept },
      (style) =>
        `${style.green("Imported")} ${Text.counted(added, "reminder")}${kept === 0 ? "" : `, kept ${kept} that were there`}`
    )
  })

/**
 * The storage of the home, with so many shards if it has any.
 *
 * @since 0.1.0
 * @category getters
 */
export const storageOf = ({ home: directory, ...flags }: Connection.Options, shards?: number) =>
  Effect.gen(function* () {
    const home = yield* Home.open(directory)
    const config = yield* HostConfig.load(home)
    return yield* Backends.choose(home, Backends.wanted(flags, { ...config, ...(shards !== undefined && { shards }) }))
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const line = ({ key, message }: { readonly key?: string; readonly message: string }) =>
  Text.printable(key === undefined ? message : `${key}: ${message}`)

const keyOf = (error: object): { readonly key?: string } =>
  "key" in error && typeof error.key === "string" ? { key: error.key } : {}
