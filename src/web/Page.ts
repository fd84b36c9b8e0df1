/**
 * The browser page, as the build left it.
 *
 * @since 0.1.0
 */
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { FileSystem } from "@effect/platform/FileSystem"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"

/**
 * Serves the files of a directory: `/` is its `index.html`, the others answer at their paths. They are read once, at the start.
 * A directory that is not there leaves a line of text at `/` that says how to make it.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (directory: string) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem
      const names = yield* Effect.orElseSucceed(fs.readDirectory(directory, { recursive: true }), () => [])
      const files = names.filter((name) => Object.hasOwn(types, extname(name)))
      if (!files.includes("index.html")) return yield* router.add("GET", "/", HttpServerResponse.text(notBuilt))
      for (const name of files) {
        const packed = yield* Effect.cached(
          // whoever asks first may go away; the others still want it
          Effect.uninterruptible(
            Effect.flatMap(fs.readFile(join(directory, name)), (bytes) => Effect.promise(() => pack(bytes)))
          )
        )
        const answer = Effect.map(packed, (body) =>
          HttpServerResponse.uint8Array(body, {
            contentType: types[extname(name)]!,
            headers: { "content-encoding": "gzip", vary: "accept-encoding" }
          })
        ).pipe(Effect.orDie)
        yield* router.add("GET", name === "index.html" ? "/" : `/${name.replaceAll("\\", "/")}`, answer)
      }
    })
  )

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const pack = promisify(gzip)

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml"
}

const notBuilt =
  "This Host keeps reminders for agent Sessions. Its page was not built: run `npm run build`, or use the host-schedule command.\n"
