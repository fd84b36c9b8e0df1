import { Atom, useAtom } from "@effect-atom/atom-react"
import { useMemo } from "react"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Choice } from "../design/Choice.tsx"
import { Empty, Read } from "../design/State.tsx"
import { VirtualList } from "../design/VirtualList.tsx"
import { useSentence } from "../editor/Sentence.ts"
import { catalog } from "../host/Catalog.ts"
import { useReading } from "../host/Live.ts"
import { useLocale, useTexts } from "../language/Language.ts"
import { useMinute } from "../time/Clock.ts"
import * as Format from "../time/Format.ts"
import * as Lanes from "./Lanes.ts"

const rangeAtom = Atom.keepAlive(Atom.make<Lanes.Range>("day"))

// as the style sheet has it
const laneHeight = 56

/** When the tasks of the Host are due, side by side. */
export const TimelineView = ({ onNew }: { readonly onNew: () => void }) => {
  const texts = useTexts().timeline
  const reading = useReading(catalog)
  const [range, setRange] = useAtom(rangeAtom)
  const from = useMinute()
  const window = useMemo(() => ({ from, to: from + Lanes.ranges[range] * 3_600_000 }), [from, range])
  return (
    <section className="timeline" aria-label={texts.title}>
      <header className="timeline-head">
        <h1>{texts.title}</h1>
        <Choice
          label={texts.range}
          hideLabel
          value={range}
          options={(Object.keys(Lanes.ranges) as Array<Lanes.Range>).map((value) => ({
            value,
            text: texts.ranges[value]
          }))}
          onChange={setRange}
        />
        <p className="hint">{texts.zone(Format.viewerZone)}</p>
      </header>
      <Read reading={reading}>{(tasks) => <Chart tasks={tasks} window={window} range={range} onNew={onNew} />}</Read>
    </section>
  )
}

const Chart = (props: {
  readonly tasks: ReadonlyArray<TaskSummary>
  readonly window: Lanes.Window
  readonly range: Lanes.Range
  readonly onNew: () => void
}) => {
  const { range, tasks, window } = props
  const texts = useTexts()
  const due = useMemo(() => Lanes.due(tasks, window), [tasks, window])
  const rules = useMemo(() => Lanes.rules(window, range, (at) => Format.local(at, Format.viewerZone)), [window, range])
  if (due.length === 0) {
    return (
      <Empty title={texts.timeline.empty} hint={texts.timeline.emptyHint}>
        <Button look="primary" icon="plus" onClick={props.onNew}>
          {texts.tasks.new}
        </Button>
      </Empty>
    )
  }
  return (
    <>
      <p className="list-count" role="status">
        {texts.timeline.shown(due.length)}
      </p>
      <Scale rules={rules} window={window} range={range} />
      <VirtualList label={texts.timeline.list} items={due} keyOf={({ record }) => record.id} height={laneHeight}>
        {(task, tabIndex) => <Lane task={task} window={window} rules={rules} tabIndex={tabIndex} />}
      </VirtualList>
    </>
  )
}

/** Where an instant is, in per cent of the window. */
const place = (at: number, { from, to }: Lanes.Window) => `${(Math.max(0, at - from) / (to - from)) * 100}%`

const rest = (at: number, { from, to }: Lanes.Window) => `${((to - at) / (to - from)) * 100}%`

const Scale = (props: {
  readonly rules: ReadonlyArray<number>
  readonly window: Lanes.Window
  readonly range: Lanes.Range
}) => {
  const locale = useLocale()
  return (
    <div className="scale" aria-hidden="true">
      <div className="track">
        {props.rules.map((at) => (
          <span key={at} style={{ insetInlineStart: place(at, props.window) }}>
            {props.range === "day"
              ? Format.clock(at, Format.viewerZone, locale)
              : Format.day(at, Format.viewerZone, locale)}
          </span>
        ))}
      </div>
    </div>
  )
}

const Lane = (props: {
  readonly task: TaskSummary
  readonly window: Lanes.Window
  readonly rules: ReadonlyArray<number>
  readonly tabIndex: number
}) => {
  const { rules, task, window } = props
  const texts = useTexts().timeline
  const locale = useLocale()
  const sentence = useSentence()
  const { more, runs } = useMemo(() => Lanes.count(task, window), [task, window])
  const marks = useMemo(() => Lanes.marks(task, window), [task, window])
  return (
    <a className="lane" href={href({ view: "tasks", id: task.record.id })} tabIndex={props.tabIndex}>
      <span className="lane-name">
        <span className="row-title" dir="auto">
          {task.record.title}
        </span>
        <span className="row-rule">{sentence(task.record)}</span>
      </span>
      <span className="unseen">
        {texts.lane(runs, more)},{" "}
        {texts.first(Format.absolute(marks[0]?.from ?? window.from, Format.viewerZone, locale))}
      </span>
      <span className="track" aria-hidden="true">
        {rules.map((rule) => (
          <i key={rule} className="rule" style={{ insetInlineStart: place(rule, window) }} />
        ))}
        {marks.map(({ from, to }) => (
          <i
            key={from}
            className={from === to ? (from <= window.from ? "run overdue" : "run") : "band"}
            style={{
              insetInlineStart: place(from, window),
              insetInlineEnd: from === to ? undefined : rest(to, window)
            }}
            title={Format.absolute(from, Format.viewerZone, locale)}
          />
        ))}
      </span>
    </a>
  )
}
