import { FileSystem } from "@effect/platform"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import { NodeFileSystem } from "@effect/platform-node"
import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import * as Page from "../../src/web/Page.ts"

layer(NodeFileSystem.layer)("the built page", (it) => {
  it.scoped("answers its files, packed, and nothing else of the directory", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      yield* fs.makeDirectory(`${directory}/assets`)
      yield* fs.writeFileString(`${directory}/index.html`, "<!doctype html><p>page</p>")
      yield* fs.writeFileString(`${directory}/assets/index-1.js`, "page()")
      yield* fs.writeFileString(`${directory}/assets/index-1.js.map`, "{}")
      const get = yield* served(directory)
      const page = yield* get("/")
      expect([page.status, page.headers.get("content-type"), page.headers.get("content-encoding")]).toEqual([
        200,
        "text/html; charset=utf-8",
        "gzip"
      ])
      expect(yield* text(page)).toBe("<!doctype html><p>page</p>")
      expect(yield* text(yield* get("/assets/index-1.js"))).toBe("page()")
      for (const path of [
        "/index.html",
        "/assets/index-1.js.map",
        "/assets/",
        "/assets/..%2findex.html",
        "/../../etc/passwd"
      ]) {
        expect((yield* get(path)).status).toBe(404)
      }
    })
  )

  it.scoped("that is missing leaves a line that says how to make it", () =>
    Effect.gen(function* () {
      const get = yield* served("/nowhere/at/all")
      const page = yield* get("/")
      expect(page.status).toBe(200)
      expect(yield* Effect.promise(() => page.text())).toMatch(/npm run build/)
    })
  )
})

const served = (directory: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        HttpLayerRouter.toWebHandler(Layer.provide(Page.layer(directory), NodeFileSystem.layer), {
          disableLogger: true
        })
      ),
      ({ dispose }) => Effect.promise(dispose)
    ),
    ({ handler }) =>
      (path: string) =>
        Effect.promise(() => handler(new Request(new URL(path, "http://localhost"))))
  )

const text = (response: Response) =>
  Effect.promise(() => new Response(response.body?.pipeThrough(new DecompressionStream("gzip"))).text())
