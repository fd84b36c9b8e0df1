import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import * as Home from "../../src/web/Home.ts"
import * as HostFile from "../../src/web/HostFile.ts"
import * as Token from "../../src/web/Token.ts"

const freshHome = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return yield* Home.open(`${yield* fs.makeTempDirectoryScoped()}/a/home`)
})

const modeOf = (path: string) =>
  Effect.map(
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(path)),
    ({ mode }) => (mode & 0o777).toString(8)
  )

layer(NodeFileSystem.layer)("Home", (it) => {
  it.scoped("makes the directory and its parents, for its owner only", () =>
    Effect.gen(function* () {
      const home = yield* freshHome
      assert.strictEqual(yield* modeOf(home.dir), "700")
    })
  )

  it.scoped("says which path is in the way", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* fs.makeTempDirectoryScoped()}/file`
      yield* fs.writeFileString(file, "")
      for (const path of [file, `${file}/home`]) {
        const { message } = yield* Effect.flip(Home.open(path))
        assert.include(message, `cannot use ${path}: it is not a directory`)
        assert.include(message, "--home")
      }
    })
  )
})

layer(NodeFileSystem.layer)("Token", (it) => {
  it.scoped("is made once, at random, for its owner only", () =>
    Effect.gen(function* () {
      const [home, other] = [yield* freshHome, yield* freshHome]
      const tokens = yield* Effect.all(
        Array.from({ length: 20 }, () => Token.load(home)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(tokens.map(Redacted.value)).size, 1)
      assert.isAtLeast(Redacted.value(tokens[0]!).length, 43)
      assert.notStrictEqual(Redacted.value(yield* Token.load(other)), Redacted.value(tokens[0]!))
      assert.strictEqual(yield* modeOf(home.token), "600")
      const fs = yield* FileSystem.FileSystem
      assert.deepStrictEqual(yield* fs.readDirectory(home.dir), ["token"])
    })
  )

  it.scoped("a file that others can read is closed to them", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const home = yield* freshHome
      yield* fs.writeFileString(home.token, "my-own-token-of-some-length\n", { mode: 0o644 })
      assert.strictEqual(Redacted.value(yield* Token.load(home)), "my-own-token-of-some-length")
      assert.strictEqual(yield* modeOf(home.token), "600")
    })
  )

  it.scoped("an empty or odd file is refused, and never overwritten", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const home = yield* freshHome
      for (const text of ["", "short", "two words of text here"]) {
        yield* fs.writeFileString(home.token, text)
        assert.include((yield* Effect.flip(Token.load(home))).message, "holds no token")
        assert.strictEqual(yield* fs.readFileString(home.token), text)
      }
    })
  )

  it.scoped("does not show in logs, and the cookie does not give it away", () =>
    Effect.gen(function* () {
      const token = yield* Token.load(yield* freshHome)
      assert.notInclude(`${String(token)} ${JSON.stringify({ token })}`, Redacted.value(token))
      assert.notInclude(Token.cookieValue(token), Redacted.value(token))
      assert.strictEqual(Token.cookieValue(token), Token.cookieValue(Redacted.make(Redacted.value(token))))
    })
  )
})

layer(NodeFileSystem.layer)("HostFile", (it) => {
  it.scoped("names the Host while it runs", () =>
    Effect.gen(function* () {
      const home = yield* freshHome
      assert.deepStrictEqual(yield* HostFile.find(home), Option.none())
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* HostFile.publish(home, "http://127.0.0.1:1")
          assert.deepStrictEqual(
            yield* HostFile.find(home),
            Option.some({ url: "http://127.0.0.1:1", pid: process.pid })
          )
          assert.strictEqual(yield* modeOf(home.host), "600")
        })
      )
      const fs = yield* FileSystem.FileSystem
      assert.deepStrictEqual(yield* fs.readDirectory(home.dir), [])
    })
  )

  it.scoped("what a killed Host or somebody else left behind is no Host", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const home = yield* freshHome
      const dead = 2 ** 22 + 1
      for (const text of [JSON.stringify({ url: "http://127.0.0.1:1", pid: dead }), "{}", "", '{"url":1,"pid":-1}']) {
        yield* fs.writeFileString(home.host, text)
        assert.deepStrictEqual(yield* HostFile.find(home), Option.none())
      }
    })
  )

  it.scoped("a Host that ends leaves the file of its successor alone", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const home = yield* freshHome
      const successor = JSON.stringify({ url: "http://127.0.0.1:2", pid: 1 })
      yield* Effect.scoped(
        Effect.zipRight(HostFile.publish(home, "http://127.0.0.1:1"), fs.writeFileString(home.host, successor))
      )
      assert.strictEqual(yield* fs.readFileString(home.host), successor)
    })
  )
})
