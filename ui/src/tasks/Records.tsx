import { useState } from "react"
import * as Instant from "../../../src/domain/Instant.ts"
import type { DeliveryRecord, TaskSummary } from "../../../src/domain/ScheduleTask.ts"
import { Button } from "../design/Button.tsx"
import { Clamp } from "../design/Clamp.tsx"
import { Empty, Read } from "../design/State.tsx"
import { history } from "../host/History.ts"
import { useReading } from "../host/Live.ts"
import { useLocale, useTexts } from "../language/Language.ts"
import * as Format from "../time/Format.ts"
import { Moment } from "../time/Moment.tsx"

/** What a task has delivered, newest first, with the words that were sent. */
export const Records = ({ task }: { readonly task: TaskSummary }) => {
  const { record, sessionId } = task
  const [pages, setPages] = useState(1)
  const reading = useReading(history(`${pages} ${record.id} ${sessionId}`))
  const previous = useReading(history(`${Math.max(1, pages - 1)} ${record.id} ${sessionId}`))
  const texts = useTexts()
  const zone = "timeZone" in record ? record.timeZone : undefined
  // while an older page is on its way, what is there stays
  const shown = reading.value === undefined && reading.failure === undefined ? previous : reading
  return (
    <Read reading={shown}>
      {(page) =>
        page === undefined ? (
          <Empty title={texts.tasks.missing} />
        ) : (
          <>
            {page.records.length === 0 && <Empty title={texts.records.empty} hint={texts.records.emptyHint} />}
            <ol className="records">
              {page.records.map((record) => (
                <Delivered key={record.messageId} record={record} zone={zone} />
              ))}
            </ol>
            {page.nextBefore !== undefined && (
              <Button onClick={() => setPages(pages + 1)}>{texts.records.older}</Button>
            )}
            <p className="hint">
              {page.earlierRecordsPruned
                ? texts.records.pruned(page.retention.days, page.retention.records)
                : page.earlierRecordsUnavailable
                  ? texts.records.unavailable
                  : texts.records.kept(page.retention.days, page.retention.records)}
            </p>
          </>
        )
      }
    </Read>
  )
}

const Delivered = (props: { readonly record: DeliveryRecord; readonly zone: string | undefined }) => {
  const { deliveredAt, messageId, prompt, scheduledAt } = props.record
  const texts = useTexts()
  const locale = useLocale()
  const due = Instant.toMillis(scheduledAt)
  const late = Instant.toMillis(deliveredAt) - due
  return (
    <li>
      <dl className="facts">
        <div>
          <dt>{texts.records.delivered}</dt>
          <dd>
            <Moment at={Instant.toMillis(deliveredAt)} zone={props.zone} />
          </dd>
        </div>
        <div>
          <dt>{texts.records.occurrence}</dt>
          <dd>
            <Moment at={due} zone={props.zone} />
            {late >= 1000 && <small className="late">{texts.records.late(Format.span(late, locale))}</small>}
          </dd>
        </div>
        <div>
          <dt>{texts.records.message}</dt>
          <dd className="wrap mono">{messageId}</dd>
        </div>
      </dl>
      {prompt === undefined ? <p className="hint">{texts.records.noPrompt}</p> : <Clamp text={prompt} />}
    </li>
  )
}
