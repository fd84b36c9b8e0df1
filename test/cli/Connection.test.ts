import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { FileSystem } from "@effect/platform"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import * as Connection from "../../src/cli/Connection.ts"
import { ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import { SessionClient } from "../../src/remote/SessionClient.ts"
import * as Home from "../../src/web/Home.ts"
import * as Proof from "../../src/web/Proof.ts"
import * as Token from "../../src/web/Token.ts"
import * as WebHost from "../web/WebHost.ts"

layer(NodeFileSystem.layer, { excludeTestServices: true })("the Host that a command talks to", (it) => {
  it.scoped("is the one whose address is in the home", () =>
    Effect.gen(function* () {
      const host = yield* genuine
      const client = yield* connect(host.home.dir)
      const session = yield* client.sessions.create({ title: "Work" })
      assert.deepStrictEqual(yield* titles(host), ["Work"])
      assert.strictEqual((yield* client.sessions.show({ id: session.header.id })).title, "Work")
      const url = yield* Connection.signInUrl(host.home.dir)
      assert.isTrue(url.startsWith(`${host.origin}/login?code=`))
      assert.strictEqual((yield* Effect.promise(() => fetch(url, { redirect: "manual" }))).status, 303)
    })
  )

  it.scoped("never is a program that has taken its port, whatever that answers: it is not told the token", () =>
    Effect.gen(function* () {
      const host = yield* genuine
      const nonce = yield* Proof.nonce
      const old = yield* proofOf(host.origin, nonce)
      const impostors: ReadonlyArray<readonly [what: string, answer: RequestListener]> = [
        ["says yes to everything", (_, response) => response.end("ok\n")],
        ["says nothing", (_, response) => response.end()],
        ["repeats the nonce", (request, response) => response.end(request.url?.split("=")[1])],
        ["repeats an old proof", (_, response) => response.end(old)],
        ["fails", (_, response) => response.writeHead(500).end()],
        [
          "never stops talking",
          (_, response) => {
            const talk = () => {
              while (!response.destroyed && response.write("x".repeat(65_536)));
            }
            response.on("drain", talk)
            talk()
          }
        ],
        ["hangs up", (request) => request.destroy()],
        ["sends elsewhere", ({ url }, response) => response.writeHead(302, { location: host.origin + url }).end()],
        [
          "asks a Host with the same token",
          ({ url }, response) => void fetch(host.origin + url).then(async (proof) => response.end(await proof.text()))
        ]
      ]
      for (const [what, answer] of impostors) {
        const impostor = yield* impostorAt(0, answer)
        const home = yield* homeOf(host.token, impostor.url)
        const { schedule } = yield* connect(home.dir)
        assert.deepStrictEqual(yield* schedule.catalog(), [], what)
        const failure = yield* Effect.flip(Connection.signInUrl(home.dir))
        assert.deepInclude(failure, { code: "no_host" }, what)
        assert.isAbove(impostor.heard.length, 0, what)
        assert.notInclude(impostor.heard.join("\n"), host.token, what)
        assert.notInclude(impostor.heard.join("\n").toLowerCase(), "authorization", what)
      }
    })
  )

  it.scoped("is asked for a proof before each call, as another may have taken its port since the last", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const host = yield* Scope.extend(genuine, scope)
      const { schedule } = yield* connect(host.home.dir)
      assert.deepStrictEqual(yield* schedule.catalog(), [])
      yield* Scope.close(scope, Exit.void)
      const impostor = yield* impostorAt(host.port, (_, response) => response.end("ok\n"))
      const failure = yield* Effect.flip(schedule.catalog())
      assert.strictEqual(failure.code, "host_unreachable")
      assert.lengthOf(impostor.heard, 1)
      assert.match(impostor.heard[0] ?? "", /^GET \/proof\?nonce=/)
      assert.notInclude(impostor.heard.join("\n"), host.token)
    })
  )

  it.scoped("proves itself to nobody who does not ask properly, and differently each time", () =>
    Effect.gen(function* () {
      const { home, origin, token } = yield* genuine
      for (const query of ["", "?nonce=", "?nonce=short", `?nonce=${"x".repeat(44)}`, `?nonce=${"%00".repeat(43)}`]) {
        assert.strictEqual((yield* Effect.promise(() => fetch(`${origin}/proof${query}`))).status, 400, query)
      }
      const proofs = new Set<string>()
      for (let i = 0; i < 50; i++) proofs.add(yield* proofOf(origin, yield* Proof.nonce))
      assert.strictEqual(proofs.size, 50)
      assert.isFalse(proofs.has(Token.cookieValue(Redacted.make(token))))
      assert.strictEqual(Redacted.value(yield* Token.load(home)), token)
    })
  )
})

// internal

const genuine = Effect.map(Layer.build(Layer.fresh(WebHost.layer)), Context.get(WebHost.Host))

const connect = (home: string) =>
  Effect.map(Layer.build(Connection.layer({ home, storage: Option.none(), databaseUrl: undefined })), (context) => ({
    schedule: Context.get(context, ScheduleClient),
    sessions: Context.get(context, SessionClient)
  }))

/** A home whose Host was killed: it left the address of a port that belongs to another program now. */
const homeOf = Effect.fnUntraced(function* (token: string, url: string) {
  const fs = yield* FileSystem.FileSystem
  const home = yield* Home.open(yield* fs.makeTempDirectoryScoped())
  yield* fs.writeFileString(home.token, `${token}\n`)
  yield* fs.writeFileString(home.host, JSON.stringify({ url, pid: process.pid }))
  return home
})

/** A program that answers as it likes, and what it was sent. */
const impostorAt = (port: number, answer: RequestListener) => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}\n${request.rawHeaders.join("\n")}`)
    answer(request, response)
  })
  return Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly heard: ReadonlyArray<string> }>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }))
      })
    }),
    () => Effect.sync(() => server.closeAllConnections()).pipe(Effect.zipRight(Effect.sync(() => server.close())))
  )
}

const proofOf = (origin: string, nonce: string) =>
  Effect.promise(async () => (await fetch(`${origin}/proof?nonce=${nonce}`)).text())

const titles = ({ origin, token }: WebHost.Host["Type"]) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${token}` }
    const { sessions } = JSON.parse(
      await (await fetch(`${origin}/api/sessions.list`, { method: "POST", headers })).text()
    )
    return sessions.map(({ title }: { title: string }) => title)
  })
