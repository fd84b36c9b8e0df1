/**
 * Where a page of the catalog ends.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ScheduleId } from "../domain/Identifiers.ts"
import { Instant } from "../domain/Instant.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import type { TaskSummary } from "../domain/ScheduleTask.ts"

/**
 * A place in the catalog's order: behind this target and id.
 *
 * @since 0.1.0
 * @category models
 */
export interface CatalogCursor {
  readonly scheduledAt: Instant
  readonly id: ScheduleId
}

/**
 * The cursor's text, for whoever asks for the next page.
 *
 * @since 0.1.0
 * @category conversions
 */
export const format = ({ record: { id, scheduledAt } }: TaskSummary): string => `${scheduledAt}/${id}`

/**
 * The cursor of a text; fails with `invalid_rule`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const parse = (text: unknown): Either.Either<CatalogCursor, ScheduleInputError> => {
  const [scheduledAt, id, ...rest] = typeof text === "string" ? text.split("/") : []
  return rest.length === 0 && isInstant(scheduledAt) && isScheduleId(id)
    ? Either.right({ scheduledAt, id })
    : refuse("invalid_rule", "after must be the nextAfter of a page of the catalog")
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const isInstant = Schema.is(Instant)
const isScheduleId = Schema.is(ScheduleId)
