import { cpus, loadavg } from "node:os"
import { type Agreement, harmonicMean, type Speed, type Zones } from "./measure.ts"
import { type Peer, peers } from "./peers.ts"
import { zones } from "./workload.ts"

/** What was measured of one library. */
export interface Result {
  /** One for each of the zones. */
  readonly speeds: ReadonlyArray<Speed>
  readonly parse: number
  readonly agreement: Agreement
}

export interface Results {
  readonly peers: ReadonlyMap<string, Result>
  readonly questions: number
  readonly policies: number
  readonly zones: Zones
}

/** What this project wants to reach, and whether it did. */
export interface Bar {
  readonly text: string
  readonly isReached: boolean
}

export const bars = (results: Results): ReadonlyArray<Bar> => {
  const own = results.peers.get(ours.name)!
  const parse = own.parse / Math.max(...others.map(({ name }) => results.peers.get(name)!.parse))
  const { bytesPerQuestion, firstInProcess, kibibytes, kibibytesFull, median, worst } = results.zones
  return [
    {
      text: `Agreement with brute force: ${percent(own.agreement.agreed, results.questions)} (bar: 100 %).`,
      isReached: own.agreement.agreed === results.questions
    },
    ...(["next", "latest"] as const).flatMap((question) => [
      faster(results, question, "the fastest library that knows zones", zoneAware, 50),
      faster(results, question, "cron-schedule in its process's zone", processZoneOnly, 2)
    ]),
    {
      text: `Parsing with canonical text is ${parse.toFixed(1)} × the fastest parser (bar: 1.3 ×).`,
      isReached: parse >= 1.3
    },
    {
      text:
        `The first question in a zone takes ${median.toFixed(2)} ms at the median and ${worst.toFixed(2)} ms at worst ` +
        `(bar: 5 ms); the very first of a process, which loads the data of \`Intl\`, ${firstInProcess.toFixed(1)} ms.`,
      isReached: worst <= 5
    },
    {
      text:
        `A zone takes ${kibibytes.toFixed(1)} KiB with two years in it, and ${kibibytesFull.toFixed(1)} KiB with every year ` +
        "of the zones that change most often (bar: 64 KiB).",
      isReached: kibibytesFull <= 64
    },
    {
      text:
        `A question leaves at most ${bytesPerQuestion.toFixed(0)} bytes behind, numbers that V8 puts into boxes of 16 ` +
        "(bar: 128 bytes).",
      isReached: bytesPerQuestion <= 128
    }
  ]
}

export const report = (results: Results): string => {
  const lines = peers.map((peer) => {
    const { agreement, parse, speeds } = results.peers.get(peer.name)!
    const latest = speeds.flatMap((speed) => speed.latest ?? [])
    return [
      `${peer.name}${peer.processZoneOnly ? "²" : ""}`,
      percent(agreement.agreed, results.questions),
      `${agreement.agreedPolicy}`,
      ...speeds.map(({ failures, next }) => `${rate(next)}${failures.length > 0 ? "¹" : ""}`),
      latest.length === 0 ? "–" : rate(harmonicMean(latest)),
      rate(parse)
    ]
  })
  const head = [
    "",
    "agreement",
    `policy (${results.policies})`,
    ...zones.map((zone) => `next, ${short(zone)}`),
    "latest",
    "parse"
  ]
  return [
    `${cpus().length} × ${cpus()[0]?.model.trim()} with a load of ${loadavg()[1]?.toFixed(0)}, Node ${process.version}; ` +
      `${results.questions} questions of agreement.`,
    "",
    ...[head, head.map((_, i) => (i === 0 ? "---" : "---:")), ...lines].map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "¹ without expressions that it throws for. ² only in the zone of its process. A dash: not offered.",
    "",
    ...bars(results).map(({ text }) => `- ${text}`)
  ].join("\n")
}

const [ours, ...others] = peers as readonly [Peer, ...ReadonlyArray<Peer>]
const zoneAware = others.filter((peer) => !peer.processZoneOnly)
const processZoneOnly = others.filter((peer) => peer.processZoneOnly)

const faster = (
  results: Results,
  question: "next" | "latest",
  whom: string,
  among: ReadonlyArray<Peer>,
  wanted: number
): Bar => {
  const rateIn = (peer: Peer, i: number) => results.peers.get(peer.name)!.speeds[i]![question] ?? 0
  const ratios = zones.map((_, i) => rateIn(ours, i) / Math.max(...among.map((peer) => rateIn(peer, i))))
  const each = zones.map((zone, i) => `${short(zone)} ${ratios[i]!.toFixed(ratios[i]! < 10 ? 1 : 0)} ×`).join(", ")
  return {
    text: `\`${question}\` against ${whom}: ${each} (bar: ${wanted} ×).`,
    isReached: Math.min(...ratios) >= wanted
  }
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`

const short = (zone: string): string => zone.split("/").pop()!

const rate = (perSecond: number): string =>
  perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(1)} M` : `${(perSecond / 1e3).toFixed(perSecond < 1e4 ? 1 : 0)} k`
