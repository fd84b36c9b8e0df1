/** The same work for every contender: messages due at once, spread over Sessions whose logs are on disk. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import type { Agent } from "../../src/session/Agent.ts"
import * as InboxDriver from "../../src/session/InboxDriver.ts"
import { SessionController } from "../../src/session/SessionController.ts"
import { SessionId } from "../../src/session/SessionHeader.ts"
import * as SessionsOnDisk from "../../src/session/SessionsOnDisk.ts"
import * as WorkspaceRegistry from "../../src/session/WorkspaceRegistry.ts"

export const prompt = "Look at the build, and say in one sentence whether it is green."

export const sessionIds = (count: number) => Array.from({ length: count }, (_, i) => SessionId.make(`session-${i}`))

export const temporaryHome = () => mkdtempSync(join(tmpdir(), "host-schedule-bench-"))

export const remove = (home: string) => rmSync(home, { recursive: true, force: true })

/** Sessions on disk, all of them created. */
export const sessionsLayer = (home: string) =>
  SessionsOnDisk.layer({ home }).pipe(Layer.provide(InboxDriver.layer), Layer.provideMerge(WorkspaceRegistry.layer))

export const createSessions = (controller: SessionController["Type"], count: number) =>
  Effect.forEach(sessionIds(count), (id) => controller.create({ id }), { concurrency: 16, discard: true })

/** What a job of a contender does: one message into its Session's log, on disk before the job is done. */
export const jobHandler = async (home: string, sessions: number) => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(Layer.buildWithScope(sessionsLayer(home), scope))
  const controller = Context.get(context, SessionController)
  await Effect.runPromise(createSessions(controller, sessions))
  const agents = new Map<string, Promise<Agent>>()
  const agentOf = (session: string) => {
    let agent = agents.get(session)
    if (agent === undefined) {
      agent = Effect.runPromise(Scope.extend(controller.resolveAgent(SessionId.make(session)), scope))
      agents.set(session, agent)
    }
    return agent
  }
  const handle = async ({ id, session }: { readonly id: string; readonly session: string }) => {
    const agent = await agentOf(session)
    await Effect.runPromise(Effect.zipRight(agent.followup({ text: prompt, keys: [id], source: "bench" }), agent.flush))
  }
  return { handle, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

export interface Result {
  readonly contender: string
  readonly jobs: number
  readonly millis: number
}
