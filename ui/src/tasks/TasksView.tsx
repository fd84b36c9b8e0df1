import { Atom, useAtom } from "@effect-atom/atom-react"
import { Fragment, useDeferredValue, useMemo, useState } from "react"
import type { TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { href } from "../app/Route.ts"
import { Button } from "../design/Button.tsx"
import { Choice } from "../design/Choice.tsx"
import { Search } from "../design/Search.tsx"
import { Empty, PaneHeading, Read } from "../design/State.tsx"
import { VirtualList } from "../design/VirtualList.tsx"
import { catalog } from "../host/Catalog.ts"
import { useReading } from "../host/Live.ts"
import { useLocale, useTexts } from "../language/Language.ts"
import * as Format from "../time/Format.ts"
import { DeleteInactive } from "./DeleteInactive.tsx"
import * as Filter from "./Filter.ts"
import { TaskDetail } from "./TaskDetail.tsx"
import { rowHeight, TaskRow } from "./TaskRow.tsx"

/** The filter outlives a look at another view. */
const filterAtom = Atom.keepAlive(Atom.make(Filter.everything))

/** The list of tasks and the one that is chosen. */
export const TasksView = (props: {
  readonly id: string | undefined
  readonly tab: "rules" | "records"
  readonly onNew: () => void
}) => {
  const texts = useTexts()
  const reading = useReading(catalog)
  return (
    <div className={props.id === undefined ? "panes" : "panes chosen"}>
      <section className="pane list" aria-label={texts.tasks.title}>
        <PaneHeading text={texts.tasks.title} first={props.id === undefined} />
        <TaskTools tasks={reading.value} />
        <Read reading={reading}>{(tasks) => <TaskList tasks={tasks} current={props.id} onNew={props.onNew} />}</Read>
      </section>
      <section className="pane detail" aria-label={texts.detail.tabs}>
        {props.id === undefined ? (
          <Empty title={texts.tasks.pick}>
            <dl className="shortcuts">
              {texts.shortcuts.items.map(([key, text]) => (
                <Fragment key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{text}</dd>
                </Fragment>
              ))}
            </dl>
          </Empty>
        ) : (
          <Read reading={reading}>
            {(tasks) => (
              <TaskDetail
                key={props.id}
                id={props.id!}
                tab={props.tab}
                task={tasks.find((task) => task.record.id === props.id)}
              />
            )}
          </Read>
        )}
      </section>
    </div>
  )
}

/** What chooses the tasks that the list shows; there before the tasks are, so that nobody who types ahead types into nothing. */
const TaskTools = ({ tasks }: { readonly tasks: ReadonlyArray<TaskSummary> | undefined }) => {
  const texts = useTexts().tasks
  const locale = useLocale()
  const [filter, setFilter] = useAtom(filterAtom)
  const counts = useMemo(() => tasks && Filter.counts(tasks), [tasks])
  return (
    <div className="list-tools">
      <Search label={texts.search} value={filter.search} onChange={(search) => setFilter({ ...filter, search })} />
      <Choice
        label={texts.filter}
        hideLabel
        value={filter.status}
        options={Filter.statuses.map((value) => ({
          value,
          text: texts.filters[value],
          count: counts && Format.number(counts[value], locale)
        }))}
        onChange={(status) => setFilter({ ...filter, status })}
      />
    </div>
  )
}

const TaskList = (props: {
  readonly tasks: ReadonlyArray<TaskSummary>
  readonly current: string | undefined
  readonly onNew: () => void
}) => {
  const { tasks } = props
  const texts = useTexts()
  const [filter, setFilter] = useAtom(filterAtom)
  const search = useDeferredValue(filter.search)
  const shown = useMemo(() => Filter.apply(tasks, { status: filter.status, search }), [tasks, filter.status, search])
  const { inactive } = useMemo(() => Filter.counts(tasks), [tasks])
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <p className="list-count" role="status">
        {texts.tasks.shown(shown.length, tasks.length)}
      </p>
      {tasks.length === 0 ? (
        <Empty title={texts.tasks.empty} hint={texts.tasks.emptyHint}>
          <Button look="primary" icon="plus" onClick={props.onNew}>
            {texts.tasks.new}
          </Button>
        </Empty>
      ) : shown.length === 0 ? (
        <Empty title={texts.tasks.none} hint={texts.tasks.noneHint}>
          <Button onClick={() => setFilter(Filter.everything)}>{texts.tasks.clear}</Button>
        </Empty>
      ) : (
        <VirtualList
          label={texts.tasks.list}
          items={shown}
          keyOf={(task) => task.record.id}
          height={rowHeight}
          current={props.current}
        >
          {(task, tabIndex) => (
            <TaskRow
              task={task}
              href={href({ view: "tasks", id: task.record.id })}
              current={task.record.id === props.current}
              tabIndex={tabIndex}
            />
          )}
        </VirtualList>
      )}
      {inactive > 0 && (
        <div className="list-foot">
          <Button look="quiet" icon="trash" onClick={() => setDeleting(true)}>
            {texts.deleteInactive.action(inactive)}
          </Button>
        </div>
      )}
      {deleting && <DeleteInactive count={inactive} onClose={() => setDeleting(false)} />}
    </>
  )
}
