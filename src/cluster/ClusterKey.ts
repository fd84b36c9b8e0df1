/**
 * The secret by which the Hosts of a cluster know each other.
 *
 * @since 0.1.0
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/**
 * Every call between Hosts carries it, so that nobody else on the network, or on the machine, changes reminders through the
 * port of the cluster. Who can read the database can change them anyway, so it is kept there.
 *
 * @since 0.1.0
 * @category services
 */
export class ClusterKey extends Context.Tag("host-schedule/cluster/ClusterKey")<ClusterKey, Redacted.Redacted>() {}

/**
 * The key of the database's cluster: 256 random bits, made by its first Host.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<ClusterKey, SqlError, SqlClient.SqlClient> = Layer.effect(
  ClusterKey,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE IF NOT EXISTS cluster_key (id boolean PRIMARY KEY DEFAULT true CHECK (id), key text NOT NULL)`
    yield* sql`INSERT INTO cluster_key (key) VALUES (${randomBytes(32).toString("base64url")}) ON CONFLICT DO NOTHING`
    const rows = yield* sql<{ readonly key: string }>`SELECT key FROM cluster_key`
    return Redacted.make(rows[0]?.key ?? "")
  })
)

/**
 * Compares in a time that tells nothing of where two keys differ.
 *
 * @since 0.1.0
 * @category predicates
 */
export const equals = (presented: string, key: Redacted.Redacted): boolean =>
  timingSafeEqual(digest(presented), digest(Redacted.value(key)))

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const digest = (text: string) => createHash("sha256").update(text).digest()
