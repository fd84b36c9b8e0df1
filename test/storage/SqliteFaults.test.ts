import { join } from "node:path"
import { SqlError } from "@effect/sql"
import { Effect } from "effect"
import * as SqliteDriver from "../../src/storage/SqliteDriver.ts"
import * as SqliteFile from "../../src/storage/SqliteFile.ts"
import { type Fault, quarantineContract } from "../contract/QuarantineContract.ts"
import { temporaryDirectory } from "./fixtures.ts"

interface SqliteFault extends Fault {
  readonly statement: RegExp
  readonly code: string
}

const faults: ReadonlyArray<SqliteFault> = [
  fault("BEGIN", "SQLITE_BUSY", false, false),
  fault("DELETE|UPDATE", "SQLITE_IOERR_WRITE", false, false),
  fault("INSERT|UPDATE|DELETE", "SQLITE_FULL", false, false),
  fault("COMMIT", "SQLITE_BUSY", false, false),
  fault("COMMIT", "SQLITE_FULL", false, false),
  fault("COMMIT", "SQLITE_IOERR_FSYNC", false, true),
  fault("COMMIT", "SQLITE_IOERR_FSYNC", true, true),
  fault("COMMIT", "SQLITE_CORRUPT", true, true),
  // one new row is a statement that commits by itself
  { ...fault("INSERT", "SQLITE_IOERR_FSYNC", false, true), rows: 1 },
  { ...fault("INSERT", "SQLITE_IOERR_FSYNC", true, true), rows: 1 }
]

function fault(statement: string, code: string, happens: boolean, isUnknown: boolean): SqliteFault {
  const name = `${code} at ${statement}${isUnknown ? (happens ? ", after it was done," : ", before it was done,") : ""}`
  return { name, statement: new RegExp(`^(${statement})`), code, happens, isUnknown, rows: 2 }
}

const medium = Effect.map(temporaryDirectory, (directory) => {
  const file = join(directory, "schedule.db")
  let pending: SqliteFault | undefined
  return {
    driver: SqliteDriver.make({
      directory,
      decorate: (execute) => (sql, params) =>
        Effect.suspend(() => {
          if (!pending?.statement.test(sql)) return execute(sql, params)
          const { code, happens } = pending
          pending = undefined
          const cause = Object.assign(new Error("disk I/O error"), { code })
          return Effect.zipRight(happens ? execute(sql, params) : Effect.void, new SqlError.SqlError({ cause }))
        })
    }),
    inject: (fault: SqliteFault) => {
      pending = fault
    },
    damage: Effect.as(run(file, "CREATE TABLE damage (a)"), run(file, "DROP TABLE damage"))
  }
})

const run = (filename: string, statement: string) =>
  Effect.scoped(Effect.flatMap(SqliteFile.open({ filename }), (file) => file.run(statement)))

quarantineContract("sqlite", medium, faults)
