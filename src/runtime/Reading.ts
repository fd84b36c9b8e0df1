/**
 * The reading half of the service: list, catalog, history.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as History from "../domain/History.ts"
import type { SessionId } from "../domain/Identifiers.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { ScheduleDomain } from "../storage/ScheduleDomain.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as CatalogCursor from "./CatalogCursor.ts"
import { historyBounds, type Settings } from "./ScheduleConfig.ts"
import type { HistoryAnswer, ScheduleService, TaskAddress } from "./ScheduleService.ts"

/**
 * What reading needs of a store: committed rows, from whoever wrote them.
 *
 * @since 0.1.0
 * @category models
 */
export type Rows = Pick<ScheduleDomain["Type"], "get" | "activeOf" | "catalog" | "catalogPage" | "historyPage">

/**
 * The reading methods of {@link ScheduleService}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  rows: Rows,
  settings: Settings
): Pick<ScheduleService["Type"], "list" | "catalog" | "catalogPage" | "history"> => ({
  list: Effect.fn("ScheduleService.list")(function* ({ sessionId }: { readonly sessionId: SessionId }) {
    yield* Effect.annotateCurrentSpan({ sessionId })
    const tasks = yield* rows.activeOf(sessionId)
    return tasks.map(({ record }) => record)
  }),

  catalog: Effect.fn("ScheduleService.catalog")(() => rows.catalog),

  catalogPage: Effect.fn("ScheduleService.catalogPage")(function* ({
    after,
    limit,
    status
  }: Parameters<ScheduleService["Type"]["catalogPage"]>[0]) {
    if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > maxCatalogPage) {
      return yield* refuse("invalid_rule", `limit must be an integer from 1 to ${maxCatalogPage}`)
    }
    const cursor = after === undefined ? undefined : yield* CatalogCursor.parse(after)
    const found = yield* rows.catalogPage({ limit: limit + 1, after: cursor, status })
    const tasks = found.slice(0, limit)
    return found.length > limit ? { tasks, nextAfter: CatalogCursor.format(tasks[limit - 1]!) } : { tasks }
  }),

  history: Effect.fn("ScheduleService.history")(function* ({
    before,
    id,
    limit,
    sessionId
  }: TaskAddress & { readonly limit: unknown; readonly before?: unknown }): Effect.fn.Return<
    HistoryAnswer,
    ScheduleInputError | StorageError
  > {
    yield* Effect.annotateCurrentSpan({ sessionId, id })
    const query = yield* History.decodeQuery({ limit, before })
    const task = yield* rows.get(id)
    if (Option.isNone(task) || task.value.sessionId !== sessionId) return { id, code: "schedule_not_found" }
    return Option.match(yield* rows.historyPage(id, query), {
      onNone: () => ({ id, code: "delivery_cursor_not_found" }),
      onSome: (page) => ({ id, ...page, retention: historyBounds(settings) })
    })
  })
})

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const maxCatalogPage = 1000
