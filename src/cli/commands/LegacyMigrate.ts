/**
 * `host-schedule legacy-migrate`
 *
 * @since 0.1.0
 */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Prompt from "@effect/cli/Prompt"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { TaskSummary } from "../../domain/ScheduleTask.ts"
import * as Migration from "../../legacy/Migration.ts"
import * as ScheduleFold from "../../legacy/ScheduleFold.ts"
import { ScheduleClient } from "../../remote/ScheduleClient.ts"
import { SessionClient } from "../../remote/SessionClient.ts"
import * as CliFailure from "../CliFailure.ts"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"

/**
 * Lists the active reminders of a Session's own log, and recreates them as reminders of the Host once that is confirmed. One
 * that the Session has at the Host already, active or ended, with the same title and prompt, is left out. The log itself is
 * not changed.
 *
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  "legacy-migrate",
  {
    ...Flags.connection,
    session: Flags.session,
    dryRun: Options.boolean("dry-run").pipe(Options.withDescription("Only list them")),
    yes: Options.boolean("yes").pipe(Options.withDescription("Recreate them without asking"))
  },
  ({ dryRun, json, session, yes, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* ScheduleClient
      const { header, log } = yield* Effect.flatMap(SessionClient, ({ show }) => show({ id: session }))
      const { active } = yield* Effect.mapError(
        ScheduleFold.foldScheduleEvents(log, header.seedLength ?? 0),
        ({ code, message }) => CliFailure.refused(code, `the log of ${session} holds no valid reminders: ${message}`)
      )
      // those that have come and ended, too: they would come again
      const present = (yield* client.catalog()).filter((task) => task.sessionId === session)
      const now = yield* Clock.currentTimeMillis
      const requests = active.map((record) => Migration.toRequest(record, now)).filter(isMissingFrom(present))
      if (dryRun || requests.length === 0) {
        return yield* Output.answer(json, { found: active.length, requests }, () => listing(active.length, requests))
      }
      if (!json) yield* Effect.sync(() => process.stderr.write(`${listing(active.length, requests)}\n`))
      if (!yes) {
        const asks = !json && process.stdin.isTTY === true && Option.isSome(yield* Output.Screen)
        if (!asks) return yield* nobodyToAsk
        if (!(yield* Prompt.confirm({ message: `Recreate ${requests.length} of them at the Host?` }))) return
      }
      const created = yield* Effect.forEach(requests, (request) => client.create(session, request))
      yield* Output.answer(json, { found: active.length, created }, () => `Recreated ${created.length}`)
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Recreate the reminders of a Session's own log as reminders of the Host"))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const nobodyToAsk = CliFailure.refused(
  "usage",
  "there is no terminal to ask on; recreate them with --yes, or only list them with --dry-run"
)

const isMissingFrom =
  (present: ReadonlyArray<TaskSummary>) =>
  ({ prompt, title }: Migration.MigrationRequest): boolean =>
    !present.some(({ record }) => record.title === title && record.prompt === prompt)

const listing = (found: number, requests: ReadonlyArray<Migration.MigrationRequest>): string =>
  [
    `${found} active in the Session's own log, ${requests.length} to recreate${requests.length === 0 ? "" : ":"}`,
    ...requests.map((request) => `  ${request.title}: ${timing(request)}`)
  ].join("\n")

const timing = ({ at, every_seconds }: Migration.MigrationRequest): string =>
  at !== undefined
    ? `once at ${at}`
    : every_seconds !== undefined
      ? `every ${every_seconds} s from now`
      : "overdue, at once"
