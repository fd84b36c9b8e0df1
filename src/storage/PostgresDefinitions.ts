/**
 * What the tables of the PostgreSQL backend must have, in words that do not depend on the server's version.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Execute } from "./SqlConnection.ts"

/**
 * The first column, key, rule, trigger or valid index that a schema should have and has not. What an operator added, such as an index,
 * is none of our business.
 *
 * @since 0.1.0
 * @category decoding
 */
export const missing = (execute: Execute, schema: string) =>
  Effect.map(execute(definitions, [schema]), (rows) => {
    const found = new Set(rows.map(([definition]) => definition))
    return expected.find((definition) => !found.has(definition))
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const definitions = `
  SELECT format('column %s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' not null' ELSE '' END)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT format('%sindex %s on %s (%s)%s', CASE WHEN i.indisunique THEN 'unique ' ELSE '' END, x.relname, c.relname,
      (SELECT string_agg(a.attname, ', ' ORDER BY k.place)
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum),
      CASE WHEN i.indpred IS NULL THEN '' ELSE ' where ' || pg_get_expr(i.indpred, i.indrelid) END)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND i.indisvalid AND i.indisready
  UNION ALL
  SELECT format('%s of %s%s', CASE r.contype WHEN 'f' THEN 'reference' ELSE 'check' END, c.relname,
      CASE WHEN r.confdeltype = 'c' THEN ' cascading' ELSE '' END)
    FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND r.contype IN ('c', 'f') AND r.convalidated
  UNION ALL
  SELECT format('trigger %s on %s', t.tgname, c.relname)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND t.tgenabled <> 'D' AND NOT t.tgisinternal`

const columns = (table: string, list: string) =>
  list.split(", ").map((column) => {
    const [name, type = "bigint not null"] = column.split(": ")
    return `column ${table}.${name} ${type}`
  })

const active = "where (status IS DISTINCT FROM 'inactive'::text)"

const expected = [
  ...columns("settings", "shards"),
  ...columns("owners", "shard, token, owner: text not null"),
  ...columns("task_counts", "shard, tasks, inactive"),
  ...columns(
    "tasks",
    "sequence, shard, id: text not null, session_id: text not null, status: text, kind: text not null, title: text not null, " +
      "prompt: text not null, scheduled_at, after_seconds: bigint, every_seconds: bigint, time: text, expression: text, " +
      "time_zone: text, weekdays: text, last_scheduled_at: bigint, last_delivered_at: bigint, last_message_id: text, " +
      "earlier_unavailable: bigint, earlier_pruned: bigint, history_ordered"
  ),
  ...columns("deliveries", "task, position, scheduled_at, delivered_at, message_id: text not null, prompt: text"),
  "unique index owners_pkey on owners (shard)",
  "unique index task_counts_pkey on task_counts (shard)",
  "unique index tasks_pkey on tasks (sequence)",
  "unique index tasks_id_key on tasks (id)",
  `index tasks_active on tasks (shard, scheduled_at, id) ${active}`,
  "index tasks_inactive on tasks (shard, scheduled_at, id) where (status = 'inactive'::text)",
  `index tasks_of_session on tasks (session_id, scheduled_at) ${active}`,
  "index tasks_of_shard on tasks (shard, sequence)",
  "unique index deliveries_pkey on deliveries (task, position)",
  "unique index deliveries_message on deliveries (task, message_id)",
  "check of tasks",
  "reference of deliveries cascading",
  "trigger tasks_added on tasks",
  "trigger tasks_changed on tasks",
  "trigger tasks_removed on tasks"
]
