/**
 * The namespaces in plain HTTP, for `curl` and other languages: `POST /api/<method>` with the payload as JSON answers with what
 * the method answers, and `GET /api/schedule.changed` is an event stream. The OpenAPI description is made from the same schemas.
 *
 * @since 0.1.0
 */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Rpc from "@effect/rpc/Rpc"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FirstIssue from "./FirstIssue.ts"
import { basePath, openApi, pathOf } from "./HttpDescription.ts"
import { type Failure, InvalidCall, statusOf } from "./HttpErrors.ts"
import * as Json from "./Json.ts"
import * as ScheduleHandlers from "./ScheduleHandlers.ts"
import * as ScheduleRpcs from "./ScheduleRpcs.ts"
import * as SessionHandlers from "./SessionHandlers.ts"
import * as SessionRpcs from "./SessionRpcs.ts"

/**
 * Serves every method, and the description at `/api/openapi.json`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const schedule = yield* ScheduleHandlers.methods
    const sessions = yield* SessionHandlers.methods
    const operations = [
      operation(ScheduleRpcs.Create, schedule["schedule.create"]),
      operation(ScheduleRpcs.List, schedule["schedule.list"]),
      operation(ScheduleRpcs.Catalog, schedule["schedule.catalog"]),
      operation(ScheduleRpcs.CatalogPage, schedule["schedule.catalogPage"]),
      operation(ScheduleRpcs.History, schedule["schedule.history"]),
      operation(ScheduleRpcs.Update, schedule["schedule.update"]),
      operation(ScheduleRpcs.Delete, schedule["schedule.delete"]),
      operation(ScheduleRpcs.DeleteInactive, schedule["schedule.deleteInactive"]),
      operation(ScheduleRpcs.Preview, schedule["schedule.preview"]),
      operation(SessionRpcs.New, sessions["sessions.new"]),
      operation(SessionRpcs.List, sessions["sessions.list"]),
      operation(SessionRpcs.Show, sessions["sessions.show"]),
      operation(SessionRpcs.DelegationDepth, sessions["sessions.delegationDepth"]),
      operation(SessionRpcs.Rename, sessions["sessions.rename"]),
      operation(SessionRpcs.Archive, sessions["sessions.archive"]),
      operation(SessionRpcs.Unarchive, sessions["sessions.unarchive"])
    ]
    yield* Effect.forEach(operations, ({ path, run }) => router.add("POST", path, run), { discard: true })
    yield* router.add("GET", pathOf(ScheduleRpcs.Changed._tag), eventStream(schedule["schedule.changed"]()))
    yield* router.add("GET", `${basePath}/openapi.json`, HttpServerResponse.json(openApi))
  })
)

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const operation = <Tag extends string, P, PI, A, AI, E extends Failure, EI>(
  rpc: Rpc.Rpc<Tag, Schema.Schema<P, PI>, Schema.Schema<A, AI>, Schema.Schema<E, EI>>,
  call: (payload: P) => Effect.Effect<A, E>
) => {
  const decode = Schema.decodeUnknown(rpc.payloadSchema)
  const encode = Schema.encode(rpc.successSchema)
  const encodeError = Schema.encode(rpc.errorSchema)
  const answer = (payload: P) =>
    Effect.matchEffect(call(payload), {
      onSuccess: (value) => Effect.flatMap(encode(value), (json) => HttpServerResponse.json(json)),
      onFailure: (error) =>
        Effect.flatMap(encodeError(error), (json) => HttpServerResponse.json(json, { status: statusOf(error) }))
    }).pipe(Effect.orDie)
  return {
    path: pathOf(rpc._tag),
    run: Effect.gen(function* () {
      const json = yield* body(yield* HttpServerRequest.HttpServerRequest)
      return yield* answer(yield* Effect.mapError(decode(json), invalidPayload))
    }).pipe(
      Effect.catchTag("InvalidCall", ({ _tag, code, message }) =>
        Effect.orDie(HttpServerResponse.json({ _tag, code, message }, { status: statusOf({ _tag, code }) }))
      )
    )
  }
}

const invalidPayload = (error: ParseResult.ParseError): InvalidCall => {
  const { message, path } = FirstIssue.of(error)
  return new InvalidCall({ code: "invalid_payload", message: path === "" ? message : `${path}: ${message}` })
}

const body = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<unknown, InvalidCall> =>
  Effect.flatMap(
    Effect.orElseSucceed(request.text, () => ""),
    (text) =>
      // a method without a payload may be called without a body
      text.trim() === ""
        ? Effect.succeed(undefined)
        : Effect.try({
            try: () => Json.parse(text),
            catch: () => new InvalidCall({ code: "invalid_json", message: notJson })
          })
  )

const notJson = `the body must be JSON, nested at most ${Json.maxDepth} levels deep`

/** A comment now and then shows a proxy in between, and a Host whose client is gone, that the stream is alive. */
const eventStream = <E>(changes: Stream.Stream<unknown, E>) =>
  Effect.succeed(
    HttpServerResponse.stream(
      Stream.merge(
        Stream.map(changes, () => "event: changed\ndata: {}\n\n"),
        Stream.schedule(Stream.repeatValue(": alive\n\n"), Schedule.spaced("15 seconds")),
        { haltStrategy: "left" }
      ).pipe(Stream.encodeText),
      { contentType: "text/event-stream" }
    )
  )
