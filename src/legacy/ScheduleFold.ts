/**
 * What the changes of a Session's log add up to.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Instant from "../domain/Instant.ts"
import type { ScheduleLogError } from "../domain/ScheduleLogError.ts"
import { type LegacyEveryRecord, LegacyId, type LegacyRecord } from "./LegacyRecord.ts"
import { corrupt, decodeScheduleChange, eventType, type ScheduleChange } from "./ScheduleChange.ts"

/**
 * An event as far as it matters here: of other types only the type does.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoggedEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * @since 0.1.0
 * @category models
 */
export interface FoldedSchedules {
  /** The active records, in the order of their creation. */
  readonly active: ReadonlyArray<LegacyRecord>
  /** Every id that was ever used, in the same order: none is used twice. */
  readonly seenIds: ReadonlyArray<LegacyId>
}

/**
 * Folds the events after the first `seedLength`, which a fork has from its parent. Fails with `corrupt_schedule_log` when a
 * change does not decode or does not fit those before it, and when there are fewer events than `seedLength`.
 *
 * @since 0.1.0
 * @category folding
 */
export const foldScheduleEvents = (
  events: ReadonlyArray<LoggedEvent>,
  seedLength = 0
): Either.Either<FoldedSchedules, ScheduleLogError> =>
  Either.gen(function* () {
    if (!Number.isInteger(seedLength) || seedLength < 0 || seedLength > events.length) {
      return yield* corrupt(`seedLength must be an integer from 0 to ${events.length}, the number of events`)
    }
    const fold = new Fold()
    for (let index = seedLength; index < events.length; index++) {
      const { type, data } = events[index]!
      if (type === eventType) yield* fold.apply(yield* decodeScheduleChange(data))
    }
    return { active: Array.from(fold.active.values()), seenIds: Array.from(fold.seen) }
  })

/**
 * Whether an event, or the data of a `schedule/change`, may follow a log, by the rules of {@link foldScheduleEvents}. An event of another
 * type may follow any log that folds.
 *
 * @since 0.1.0
 * @category folding
 */
export const validateCandidate = (
  events: ReadonlyArray<LoggedEvent>,
  candidate: unknown,
  seedLength = 0
): Either.Either<void, ScheduleLogError> =>
  Either.map(
    foldScheduleEvents([...events, isEvent(candidate) ? candidate : { type: eventType, data: candidate }], seedLength),
    () => undefined
  )

/**
 * The next id, `schedule-N`: never one that was used before.
 *
 * @since 0.1.0
 * @category getters
 */
export const nextId = ({ seenIds }: FoldedSchedules): LegacyId => {
  const seen: ReadonlySet<string> = new Set(seenIds)
  for (let n = seen.size + 1; ; n++) {
    if (!seen.has(`schedule-${n}`)) return LegacyId.make(`schedule-${n}`)
  }
}

/**
 * What an `every` record that is due at `acceptedAt` (epoch milliseconds) delivers, the latest occurrence that is due, and
 * its first target after that, none when that is beyond the year 9999. Fails when the decision precedes the target.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveEvery = (
  record: LegacyEveryRecord,
  acceptedAt: number
): Either.Either<
  { readonly occurrenceAt: Instant.Instant; readonly next: Option.Option<Instant.Instant> },
  ScheduleLogError
> => {
  const target = Instant.toMillis(record.scheduledAt)
  if (!Instant.isInRange(acceptedAt)) return corrupt("acceptedAt must be an instant of the years 0001 to 9999")
  if (acceptedAt < target) return corrupt(`the dispatch of ${JSON.stringify(record.id)} precedes its target`)
  const interval = record.everySeconds * 1000
  const occurrence = acceptedAt - ((acceptedAt - target) % interval)
  const next = occurrence + interval
  return Either.right({
    occurrenceAt: Instant.format(occurrence),
    next: Instant.isInRange(next) ? Option.some(Instant.format(next)) : Option.none()
  })
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Applied = Either.Either<void, ScheduleLogError>

class Fold {
  readonly active = new Map<LegacyId, LegacyRecord>()
  readonly seen = new Set<LegacyId>()

  apply(change: ScheduleChange): Applied {
    switch (change.operation) {
      case "create": {
        const { id } = change.schedule
        if (this.seen.has(id)) return corrupt(`the id ${JSON.stringify(id)} is used twice`)
        this.seen.add(id)
        this.active.set(id, change.schedule)
        return Either.void
      }
      case "delete":
        return this.active.delete(change.id) ? Either.void : inactive(change)
      case "dispatch":
        return this.dispatch(change)
    }
  }

  private dispatch(change: Extract<ScheduleChange, { readonly operation: "dispatch" }>): Applied {
    const { id, acceptedAt } = change
    const record = this.active.get(id)
    if (record === undefined) return inactive(change)
    if (record.kind !== "every") {
      if (acceptedAt !== undefined) return corrupt(`the dispatch of the one-shot ${JSON.stringify(id)} has acceptedAt`)
      this.active.delete(id)
      return Either.void
    }
    if (acceptedAt === undefined)
      return corrupt(`the dispatch of the every record ${JSON.stringify(id)} lacks acceptedAt`)
    return Either.map(resolveEvery(record, Instant.toMillis(acceptedAt)), ({ next }) => {
      // Setting it keeps its place in the order of creation.
      if (Option.isSome(next)) this.active.set(id, { ...record, scheduledAt: next.value })
      else this.active.delete(id)
    })
  }
}

const inactive = ({ id, operation }: { readonly id: LegacyId; readonly operation: string }) =>
  corrupt(`the ${operation} of ${JSON.stringify(id)}, which is not active`)

const isEvent = (candidate: unknown): candidate is LoggedEvent =>
  typeof candidate === "object" &&
  candidate !== null &&
  "type" in candidate &&
  typeof candidate.type === "string" &&
  "data" in candidate
