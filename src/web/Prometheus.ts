/**
 * Effect's metrics as Prometheus text.
 *
 * @since 0.1.0
 */
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"

/**
 * The text exposition format, version 0.0.4.
 *
 * @since 0.1.0
 * @category conversions
 */
export const render = (pairs: Iterable<MetricPair.MetricPair.Untyped>): string => {
  const families = new Map<string, { readonly head: string; readonly lines: Array<string> }>()
  for (const { metricKey, metricState } of pairs) {
    const name = metricKey.name.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_")
    const samples = samplesOf(metricState)
    if (samples === undefined) continue
    let family = families.get(name)
    if (family === undefined) {
      const help =
        metricKey.description._tag === "Some" ? `# HELP ${name} ${escapeHelp(metricKey.description.value)}\n` : ""
      family = { head: `${help}# TYPE ${name} ${samples.type}`, lines: [] }
      families.set(name, family)
    }
    const tags = Array.from(metricKey.tags, ({ key, value }): Label => [key, value])
    for (const { labels, suffix, value } of samples.values) {
      family.lines.push(`${name}${suffix}${renderLabels([...tags, ...labels])} ${renderNumber(value)}`)
    }
  }
  return Array.from(families.values(), ({ head, lines }) => `${head}\n${lines.join("\n")}\n`).join("")
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Label = readonly [name: string, value: string]

interface Samples {
  readonly type: "counter" | "gauge" | "histogram" | "summary"
  readonly values: ReadonlyArray<{
    readonly suffix: string
    readonly labels: ReadonlyArray<Label>
    readonly value: number
  }>
}

const plain = (value: number | bigint) => [{ suffix: "", labels: [], value: Number(value) }]

const samplesOf = (state: MetricState.MetricState.Untyped): Samples | undefined => {
  if (MetricState.isCounterState(state)) return { type: "counter", values: plain(state.count) }
  if (MetricState.isGaugeState(state)) return { type: "gauge", values: plain(state.value) }
  if (MetricState.isFrequencyState(state)) {
    const values = Array.from(state.occurrences, ([key, value]) => ({
      suffix: "",
      labels: [["value", key] as const],
      value
    }))
    return { type: "counter", values }
  }
  if (MetricState.isHistogramState(state)) {
    // the counts are cumulative already
    const buckets = state.buckets
      .filter(([bound]) => Number.isFinite(bound))
      .map(([bound, count]) => ({ suffix: "_bucket", labels: [["le", String(bound)] as const], value: count }))
    return {
      type: "histogram",
      values: [...buckets, { suffix: "_bucket", labels: [["le", "+Inf"]], value: state.count }, ...totals(state)]
    }
  }
  if (MetricState.isSummaryState(state)) {
    const quantiles = Array.from(state.quantiles, ([quantile, value]) => ({
      suffix: "",
      labels: [["quantile", String(quantile)] as const],
      value: value._tag === "Some" ? value.value : Number.NaN
    }))
    return { type: "summary", values: [...quantiles, ...totals(state)] }
  }
  return undefined
}

const totals = ({ count, sum }: { readonly count: number; readonly sum: number }) => [
  { suffix: "_sum", labels: [], value: sum },
  { suffix: "_count", labels: [], value: count }
]

const renderNumber = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)

const renderLabels = (labels: ReadonlyArray<Label>): string =>
  labels.length === 0
    ? ""
    : `{${labels.map(([name, value]) => `${name.replace(/[^a-zA-Z0-9_]/g, "_")}="${escapeLabel(value)}"`).join(",")}}`

const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"')
