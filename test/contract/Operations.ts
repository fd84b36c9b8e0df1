/** Generated sequences of writes, and the comparison of a domain with the model of it. */
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type * as FastCheck from "effect/FastCheck"
import type { Instant } from "../../src/domain/Instant.ts"
import type { ScheduleDomain } from "../../src/storage/ScheduleDomain.ts"
import { rowsOf } from "../storage/fixtures.ts"
import * as A from "./Arbitraries.ts"
import * as Model from "./Model.ts"

type Domain = ScheduleDomain["Type"]

/** One write: how the model answers it, or undefined when it does not apply to these rows, and how the domain does. */
interface Operation {
  readonly name: string
  readonly model: (rows: Model.Rows) => Model.Rows | undefined
  readonly domain: (domain: Domain, rows: Model.Rows) => Effect.Effect<unknown, unknown>
}

const put = A.array(A.tasks(), { minLength: 1, maxLength: 12 }).map(
  (tasks): Operation => ({
    name: "put",
    model: (rows) => Model.put(rows, tasks),
    domain: (domain) => domain.put(tasks)
  })
)

const replaceRecord = A.records(A.ids).map(
  (record): Operation => ({
    name: "replaceRecord",
    model: (rows) => (Model.get(rows, record.id) ? Model.replaceRecord(rows, record) : undefined),
    domain: (domain) => domain.replaceRecord(record)
  })
)

let messages = 1000
const commit = A.tuple(
  A.array(A.tuple(A.ids, A.instants, A.instants, A.option(A.instants)), { minLength: 1, maxLength: 12 }),
  A.bounds
).map(([members, bounds]): Operation => {
  const deliveries = members.map(([id, scheduledAt, deliveredAt, next]) => ({
    id,
    receipt: { scheduledAt, deliveredAt, messageId: A.message(messages++) },
    prompt: `sent at ${deliveredAt}`,
    next: Option.fromNullable(next)
  }))
  const known = (rows: Model.Rows) => deliveries.filter(({ id }) => Model.get(rows, id))
  return {
    name: "commit",
    model: (rows) => Model.commit(rows, known(rows), bounds),
    domain: (domain, rows) => domain.commit(known(rows), bounds)
  }
})

const remove = A.ids.map(
  (id): Operation => ({
    name: "remove",
    model: (rows) => Model.remove(rows, id),
    domain: (domain, rows) =>
      Effect.map(domain.remove(id), (removed) => assert.strictEqual(removed, Model.get(rows, id) !== undefined))
  })
)

const removeActiveOf = A.sessions.map(
  (session): Operation => ({
    name: "removeActiveOf",
    model: (rows) => Model.removeActiveOf(rows, session),
    domain: (domain, rows) =>
      Effect.map(domain.removeActiveOf(session), (count) =>
        assert.strictEqual(count, Model.activeOf(rows, session).length)
      )
  })
)

const removeInactive = A.constantFrom<Operation>({
  name: "removeInactive",
  model: Model.removeInactive,
  domain: (domain, rows) =>
    Effect.map(domain.removeInactive, (count) => assert.strictEqual(count, Model.counts(rows).inactive))
})

export const operations: FastCheck.Arbitrary<ReadonlyArray<Operation>> = A.array(
  A.oneof(
    { weight: 4, arbitrary: put },
    { weight: 6, arbitrary: commit },
    { weight: 2, arbitrary: replaceRecord },
    { weight: 1, arbitrary: remove },
    { weight: 1, arbitrary: removeActiveOf },
    { weight: 1, arbitrary: removeInactive }
  ),
  { minLength: 1, maxLength: 8 }
)

/** Runs writes on a domain that holds `rows`, compares its answers after each, and returns the rows it holds then. */
export const run = (domain: Domain, rows: Model.Rows, operations: ReadonlyArray<Operation>) =>
  Effect.reduce(operations, rows, (rows, operation) => {
    const next = operation.model(rows)
    if (next === undefined) return Effect.succeed(rows)
    return Effect.zipRight(operation.domain(domain, rows), Effect.as(agrees(domain, next), next))
  })

/** Compares every answer of a domain with that of the model. */
export const agrees = Effect.fnUntraced(function* (domain: Domain, rows: Model.Rows) {
  assert.deepStrictEqual(yield* rowsOf(domain), rows)
  assert.deepStrictEqual(yield* domain.counts, Model.counts(rows))
  assert.deepStrictEqual(yield* domain.catalog, Model.catalog(rows))
  for (const until of [A.instant(0), A.instant(5), A.instant(100)]) {
    const earliest = (session: string) =>
      Model.dueOf(rows, session, until, 100)
        .map(({ record }) => record.scheduledAt)
        .sort()[0]
    const sessions = yield* domain.dueSessions(until)
    const expected = Model.dueSessions(rows, until)
    assert.deepStrictEqual(sessions.map(earliest), expected.map(earliest))
    assert.deepStrictEqual(sessions.toSorted(), expected.toSorted())
    for (const session of [0, 1, 2, 3].map(A.session)) {
      for (const limit of [1, 2, 100]) {
        assert.deepStrictEqual(yield* domain.dueOf(session, until, limit), Model.dueOf(rows, session, until, limit))
      }
      assert.deepStrictEqual(yield* domain.activeOf(session), Model.activeOf(rows, session))
    }
  }
  for (const after of [undefined, A.instant(3), A.instant(100)]) {
    const target = yield* domain.earliestTarget(Option.fromNullable(after))
    assert.deepStrictEqual(Option.getOrUndefined(target), Model.earliestTarget(rows, after))
  }
  for (const status of [undefined, "active", "inactive"] as const) {
    let after: { readonly scheduledAt: Instant; readonly id: string } | undefined
    do {
      const page = yield* domain.catalogPage({ limit: 3, after, status })
      assert.deepStrictEqual(page, Model.catalog(rows, { limit: 3, after, status }))
      after = page.at(-1)?.record
    } while (after !== undefined)
  }
  for (const { deliveryHistory, lastDelivery, record } of rows) {
    const saved = deliveryHistory?.records ?? (lastDelivery ? [lastDelivery] : [])
    for (const before of [undefined, ...saved.map(({ messageId }) => messageId), A.message(-1)]) {
      for (const limit of [1, 3, 100]) {
        const page = yield* domain.historyPage(record.id, { limit, before })
        assert.deepStrictEqual(page, Model.historyPage(rows, record.id, { limit, before }))
      }
    }
  }
  for (const id of [0, 3, 7].map(A.id)) {
    assert.deepStrictEqual(Option.getOrUndefined(yield* domain.get(id)), Model.get(rows, id))
  }
})
