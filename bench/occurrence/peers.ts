import { getFutureMatches } from "@datasert/cronjs-matcher"
import { parse as parseDatasert } from "@datasert/cronjs-parser"
import { CronExpressionParser } from "cron-parser"
import { parseCronExpression } from "cron-schedule"
import { Cron as Croner } from "croner"
import { CronosExpression } from "cronosjs"
import * as EffectCron from "effect/Cron"
import * as Either from "effect/Either"
import { createTask } from "node-cron"
import * as Cron from "../../src/domain/Cron.ts"
import * as Occurrence from "../../src/domain/Occurrence.ts"

/** A compiled rule's questions, in epoch milliseconds; NaN for none. */
export interface Questions {
  readonly next: (after: number) => number
  /** At or before the instant. Libraries that answer strictly before it are asked a millisecond later. */
  readonly latest?: (at: number) => number
}

/** A library that finds occurrences. */
export interface Peer {
  readonly name: string
  /** Knows only the zone of its process. */
  readonly processZoneOnly?: boolean
  readonly compile: (expression: string, timeZone: string) => Questions
  readonly parse: (expression: string) => unknown
}

const time = (date: Date | null | undefined): number => date?.getTime() ?? Number.NaN

export const ours: Peer = {
  name: "host-schedule",
  compile: (expression, timeZone) => {
    const occurrences = Occurrence.compile({ kind: "cron", expression, timeZone })
    return { next: (after) => occurrences.next(after), latest: (at) => occurrences.latest(at) }
  },
  parse: (expression) => Either.getOrThrow(Cron.canonicalize(expression))
}

export const peers: ReadonlyArray<Peer> = [
  ours,
  {
    name: "cron-schedule",
    processZoneOnly: true,
    compile: (expression) => {
      const cron = parseCronExpression(expression)
      return {
        next: (after) => cron.getNextDate(new Date(after)).getTime(),
        latest: (at) => cron.getPrevDate(new Date(at + 1000)).getTime()
      }
    },
    parse: parseCronExpression
  },
  {
    name: "cronosjs",
    compile: (expression, timezone) => {
      const cron = CronosExpression.parse(expression, { timezone, skipRepeatedHour: true, missingHour: "skip" })
      return { next: (after) => time(cron.nextDate(new Date(after))) }
    },
    parse: (expression) => CronosExpression.parse(expression)
  },
  {
    name: "croner",
    compile: (expression, timezone) => {
      const cron = new Croner(expression, { timezone, paused: true })
      return {
        next: (after) => time(cron.nextRun(new Date(after))),
        latest: (at) => time(cron.previousRuns(1, new Date(at + 1000))[0])
      }
    },
    parse: (expression) => new Croner(expression, { paused: true })
  },
  {
    name: "node-cron",
    compile: (expression, timezone) => {
      const matcher = Reflect.get(
        createTask(expression, () => undefined, { timezone }),
        "timeMatcher"
      )
      return { next: (after) => time(matcher.getNextMatch(new Date(after))) }
    },
    parse: (expression) => createTask(expression, () => undefined)
  },
  {
    name: "Effect Cron",
    compile: (expression, timeZone) => {
      const cron = EffectCron.unsafeParse(expression, timeZone)
      return {
        next: (after) => time(EffectCron.next(cron, after)),
        latest: (at) => time(EffectCron.prev(cron, at + 1000))
      }
    },
    parse: (expression) => EffectCron.unsafeParse(expression)
  },
  {
    name: "cron-parser",
    compile: (expression, tz) => {
      const cron = CronExpressionParser.parse(expression, { tz })
      return {
        next: (after) => {
          cron.reset(new Date(after))
          return cron.next().getTime()
        },
        latest: (at) => {
          cron.reset(new Date(at + 1000))
          return cron.prev().getTime()
        }
      }
    },
    parse: (expression) => CronExpressionParser.parse(expression)
  },
  {
    name: "@datasert/cronjs",
    compile: (expression, timezone) => {
      const cron = parseDatasert(expression)
      const options = { timezone, matchCount: 1 }
      return {
        // It answers the instant itself when that matches.
        next: (after) =>
          Date.parse(getFutureMatches(cron, { ...options, startAt: new Date(after + 1000).toISOString() })[0] ?? "")
      }
    },
    parse: (expression) => parseDatasert(expression)
  }
]
