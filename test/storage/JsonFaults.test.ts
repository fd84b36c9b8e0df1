import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { FileSystem } from "@effect/platform"
import { SystemError } from "@effect/platform/Error"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import type { ScheduleTask } from "../../src/domain/ScheduleTask.ts"
import * as DurableFile from "../../src/storage/DurableFile.ts"
import * as JsonDriver from "../../src/storage/JsonDriver.ts"
import * as ScheduleDomain from "../../src/storage/ScheduleDomain.ts"
import { type Fault, quarantineContract } from "../contract/QuarantineContract.ts"
import { goodRow } from "./brokenRows.ts"
import { temporaryDirectory } from "./fixtures.ts"

type Step = "open" | "write" | "sync" | "rename" | "open the directory" | "sync the directory"

interface JsonFault extends Fault {
  readonly step: Step
}

const fault = (step: Step, happens: boolean, isUnknown: boolean): JsonFault => ({
  name: `a failure to ${step}${happens && isUnknown ? ", after it was done," : ""}`,
  step,
  happens,
  isUnknown
})

const faults = [
  fault("open", false, false),
  fault("write", false, false),
  fault("sync", false, false),
  fault("rename", false, true),
  fault("rename", true, true),
  fault("open the directory", true, true),
  fault("sync the directory", true, true)
]

const medium = Effect.map(temporaryDirectory, (directory) => {
  const file = join(directory, "schedule.json")
  let pending: JsonFault | undefined
  const failing = <A, E, R>(step: Step, effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | SystemError, R> => {
      if (pending?.step !== step) return effect
      const { happens, isUnknown } = pending
      pending = undefined
      return Effect.zipRight(happens && isUnknown ? Effect.ignore(effect) : Effect.void, Effect.fail(ioError(step)))
    })
  const fileSystem = faulty((fs) => ({
    open: (path, options) => {
      const isDirectory = path === directory
      return Effect.map(failing(isDirectory ? "open the directory" : "open", fs.open(path, options)), (file) =>
        Object.create(file, {
          writeAll: { value: (bytes: Uint8Array) => failing("write", file.writeAll(bytes)) },
          sync: { value: failing(isDirectory ? "sync the directory" : "sync", file.sync) }
        })
      )
    },
    rename: (from, to) => failing("rename", fs.rename(from, to))
  }))
  return {
    driver: JsonDriver.make({ directory, fileSystem }),
    inject: (fault: JsonFault) => {
      pending = fault
    },
    damage: Effect.sync(() => {
      const bytes = readFileSync(file)
      writeFileSync(file, "damaged")
      return Effect.sync(() => writeFileSync(file, bytes))
    })
  }
})

quarantineContract("json", medium, faults)

describe("writing a json document", () => {
  it.scoped("syncs the new file before the rename, and the directory after it; only the owner may read it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const calls: Array<string> = []
      const noting = <A, E, R>(call: string, effect: Effect.Effect<A, E, R>) =>
        Effect.zipLeft(
          effect,
          Effect.sync(() => calls.push(call))
        )
      const fileSystem = faulty((fs) => ({
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            Object.create(file, {
              writeAll: { value: (bytes: Uint8Array) => noting("write", file.writeAll(bytes)) },
              sync: { value: noting(path === directory ? "sync directory" : "sync file", file.sync) }
            })
          ),
        rename: (from, to) => noting("rename", fs.rename(from, to))
      }))
      const domain = yield* ScheduleDomain.make(JsonDriver.make({ directory, fileSystem }))
      yield* domain.put([goodTask])
      assert.deepStrictEqual(calls, ["write", "sync file", "rename", "sync directory"])
      assert.strictEqual(statSync(join(directory, "schedule.json")).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(directory).sort(), ["host.lock", "schedule.json"])
    })
  )

  it.scoped("leaves no part of it when it fails", () =>
    Effect.gen(function* () {
      const { driver, inject } = yield* medium
      const domain = yield* ScheduleDomain.make(driver)
      for (const step of ["write", "sync"] as const) {
        inject(fault(step, false, false))
        assert.strictEqual((yield* Effect.flip(domain.put([goodTask])))._tag, "StorageFailure")
        assert.deepStrictEqual(readdirSync(dirname(driver.name)), ["host.lock"])
      }
    })
  )

  it.scoped("of rows that are moved aside syncs the file and its directory, too", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const calls: Array<string> = []
      const fileSystem = faulty((fs) => ({
        open: (path, options) =>
          Effect.map(fs.open(path, options), (file) =>
            Object.create(file, {
              sync: {
                value: Effect.zipRight(
                  file.sync,
                  Effect.sync(() => calls.push(path))
                )
              }
            })
          )
      }))
      const file = join(directory, "rejected.json")
      yield* Effect.provide(DurableFile.create(file, "{}"), yield* Layer.build(fileSystem))
      assert.deepStrictEqual(calls, [file, directory])
    })
  )

  it.scoped("is finished, not cut off, when its caller is interrupted or the domain closes meanwhile", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const started = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const fileSystem = faulty((fs) => ({
        rename: (from, to) =>
          Effect.zipRight(
            Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(proceed)),
            fs.rename(from, to)
          )
      }))
      const scope = yield* Scope.make()
      const domain = yield* Scope.extend(ScheduleDomain.make(JsonDriver.make({ directory, fileSystem })), scope)
      const writer = yield* Effect.fork(domain.put([goodTask]))
      yield* Deferred.await(started)
      const late = yield* Effect.fork(Effect.exit(domain.removeInactive))
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Fiber.interruptFork(writer)
      yield* Effect.yieldNow()
      assert.isNull(closing.unsafePoll())
      yield* Deferred.succeed(proceed, undefined)
      yield* Fiber.join(closing)
      yield* Fiber.join(late)
      assert.include(readFileSync(join(directory, "schedule.json"), "utf8"), goodTask.record.id)
      assert.notInclude(readdirSync(directory), "schedule.json.tmp")
    })
  )
})

const goodTask = goodRow() as unknown as ScheduleTask

const ioError = (step: string) =>
  new SystemError({ reason: "Unknown", module: "FileSystem", method: step, description: "EIO: i/o error" })

const faulty = (change: (fs: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>) =>
  Layer.provide(
    Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => FileSystem.make({ ...fs, ...change(fs) }))
    ),
    NodeFileSystem.layer
  )
