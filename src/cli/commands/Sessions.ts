/**
 * `host-schedule sessions`
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { SessionClient } from "../../remote/SessionClient.ts"
import * as Connection from "../Connection.ts"
import * as Flags from "../Flags.ts"
import * as Output from "../Output.ts"
import * as Render from "../Render.ts"

const id = Args.text({ name: "ID" }).pipe(Args.withDescription("The id of a Session"))

const list = Command.make("list", Flags.connection, (flags) => listing(flags)).pipe(
  Command.withDescription("List the Sessions of this home")
)

const create = Command.make(
  "new",
  {
    ...Flags.connection,
    id: Flags.text("id", "ID", "Its id (default: a fresh UUID)"),
    title: Flags.text("title", "TEXT", "Its title"),
    cwd: Flags.text("cwd", "DIR", "The directory that its turns run in")
  },
  ({ cwd, id, json, title, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* SessionClient
      const session = yield* client.create({
        ...(id === undefined ? {} : { id }),
        ...(title === undefined ? {} : { title }),
        ...(cwd === undefined ? {} : { cwd })
      })
      // the id alone, so that a script can take it
      yield* Output.answer(json, session, () => session.header.id)
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Create a Session and print its id"))

const show = Command.make("show", { ...Flags.connection, id }, ({ id, json, ...connection }) =>
  Effect.gen(function* () {
    const client = yield* SessionClient
    const detail = yield* client.show({ id })
    yield* Output.answer(json, detail, (style, now) => Render.transcript(detail, style, now))
  }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Show a Session with its log"))

const rename = Command.make(
  "rename",
  { ...Flags.connection, id, title: Args.text({ name: "TITLE" }) },
  ({ id, json, title, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* SessionClient
      const session = yield* client.rename({ id, title })
      yield* Output.answer(json, session, (style) => Render.session("Renamed", session, style))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Give a Session another title"))

const archive = Command.make(
  "archive",
  {
    ...Flags.connection,
    stop: Options.boolean("stop").pipe(Options.withDescription("Stop what runs there: its reminders are deleted")),
    id
  },
  ({ id, json, stop, ...connection }) =>
    Effect.gen(function* () {
      const client = yield* SessionClient
      const session = yield* client.archive({ id, stopActivity: stop })
      yield* Output.answer(json, session, (style) => Render.session("Archived", session, style))
    }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Archive a Session; refused while reminders are active there"))

const unarchive = Command.make("unarchive", { ...Flags.connection, id }, ({ id, json, ...connection }) =>
  Effect.gen(function* () {
    const client = yield* SessionClient
    const session = yield* client.unarchive({ id })
    yield* Output.answer(json, session, (style) => Render.session("Unarchived", session, style))
  }).pipe(Effect.provide(Connection.layer(connection)))
).pipe(Command.withDescription("Take a Session back from the archive; its reminders stay deleted"))

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make("sessions", Flags.connection, (flags) => listing(flags)).pipe(
  Command.withDescription("List, create, show, rename and archive Sessions"),
  Command.withSubcommands([list, create, show, rename, archive, unarchive])
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const listing = ({ json, ...connection }: Connection.Options & { readonly json: boolean }) =>
  Effect.gen(function* () {
    const client = yield* SessionClient
    const sessions = yield* client.list()
    yield* Output.answer(json, sessions, (style, now) => Render.sessions(sessions, style, now))
  }).pipe(Effect.provide(Connection.layer(connection)))
