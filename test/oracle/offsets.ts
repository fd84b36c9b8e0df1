import { ZoneTable } from "../../src/domain/ZoneTable.ts"

/** Instants at which a table and `Intl` differ: looked for every `step`, and on both sides of every change found on the way. */
export const differences = (name: string, from: number, to: number, step: number): ReadonlyArray<string> => {
  const zone = new ZoneTable(name)
  const found: Array<string> = []
  const check = (instant: number) => {
    const [actual, expected] = [zone.offset(zone.at(instant)), offsetByName(name, instant)]
    if (actual !== expected) found.push(`${name} ${new Date(instant).toISOString()}: ${actual}, Intl says ${expected}`)
    return expected
  }
  let offset = check(from)
  for (let low = from; low < to; low += step) {
    let [same, other] = [low, low + step]
    const next = check(other)
    if (next === offset) continue
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2)
      if (offsetByName(name, middle) === offset) same = middle
      else other = middle
    }
    check(same)
    check(other)
    offset = next
  }
  return found
}

/** The offset that `Intl` spells out, such as `GMT-04:56:02`, in milliseconds. */
export const offsetByName = (timeZone: string, instant: number): number => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  formats.set(timeZone, format)
  const [, sign, hours, minutes, seconds = "0"] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(instant))!
  if (sign === undefined) return 0
  return Number(`${sign}1`) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()
