import * as Either from "effect/Either"
import * as Cron from "../../../src/domain/Cron.ts"
import type { ScheduleInputError } from "../../../src/domain/ScheduleInputError.ts"
import { Choice } from "../design/Choice.tsx"
import { Field, Problem } from "../design/Field.tsx"
import { useTexts } from "../language/Language.ts"
import { useMessage } from "../language/Message.ts"
import { kinds, type Timing, type Unit, units } from "./Fields.ts"
import { ZonePicker } from "./ZonePicker.tsx"

interface Props {
  readonly timing: Timing
  readonly error: ScheduleInputError | undefined
  readonly disabled?: boolean
  /** A stored task has no relative delay to change to. */
  readonly stored?: boolean
  readonly onChange: (timing: Timing) => void
}

/** When a task is due: the kind, and what that kind needs. */
export const TimingEditor = (props: Props) => {
  const { disabled = false, error, onChange, stored, timing } = props
  const texts = useTexts().editor
  const message = useMessage()
  const place = error && placeOf(error)
  const at = (field: Place) => (error && place === field ? message(error) : undefined)
  const set = (change: Partial<Timing>) => onChange({ ...timing, ...change })
  const zone = (
    <ZonePicker value={timing.zone} error={at("zone")} disabled={disabled} onChange={(zone) => set({ zone })} />
  )
  return (
    <div className="timing">
      <Choice
        label={texts.timing}
        value={timing.kind}
        disabled={disabled}
        options={kinds
          .filter((kind) => !(stored && kind === "after"))
          .map((value) => ({ value, text: texts.kinds[value] }))}
        onChange={(kind) => set({ kind })}
      />
      <div className="timing-fields">
        {(timing.kind === "after" || timing.kind === "every") && (
          <Amount timing={timing} error={at("amount")} disabled={disabled} set={set} />
        )}
        {timing.kind === "at" && (
          <Field label={texts.date} error={at("date")}>
            {(control) => (
              <input
                {...control}
                className="input"
                type="date"
                disabled={disabled}
                value={timing.date}
                onChange={({ target }) => set({ date: target.value })}
              />
            )}
          </Field>
        )}
        {(timing.kind === "at" || timing.kind === "daily" || timing.kind === "weekly") && (
          <Field label={texts.time} error={at("time")}>
            {(control) => (
              <input
                {...control}
                className="input"
                type="time"
                step={timing.time.includes(".") ? 0.001 : 1}
                disabled={disabled}
                value={timing.time}
                onChange={({ target }) => set({ time: target.value })}
              />
            )}
          </Field>
        )}
        {timing.kind === "cron" && (
          <Expression timing={timing} error={at("expression")} disabled={disabled} set={set} />
        )}
        {timing.kind !== "after" && timing.kind !== "every" && zone}
      </div>
      {timing.kind === "weekly" && <Weekdays timing={timing} error={at("weekdays")} disabled={disabled} set={set} />}
      {error && place === "whole" && <Problem text={message(error)} />}
    </div>
  )
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

interface PartProps {
  readonly timing: Timing
  readonly error: string | undefined
  readonly disabled: boolean
  readonly set: (change: Partial<Timing>) => void
}

const Amount = ({ disabled, error, set, timing }: PartProps) => {
  const texts = useTexts().editor
  return (
    <div className="amount">
      <Field label={timing.kind === "every" ? texts.amount.every : texts.amount.after} error={error}>
        {(control) => (
          <input
            {...control}
            className="input"
            inputMode="decimal"
            disabled={disabled}
            value={timing.amount}
            onChange={({ target }) => set({ amount: target.value })}
          />
        )}
      </Field>
      <select
        className="input"
        aria-label={texts.unit}
        disabled={disabled}
        value={timing.unit}
        onChange={({ target }) => set({ unit: target.value as Unit })}
      >
        {(Object.keys(units) as Array<Unit>).map((unit) => (
          <option key={unit} value={unit}>
            {texts.units[unit]}
          </option>
        ))}
      </select>
    </div>
  )
}

const Expression = ({ disabled, error, set, timing }: PartProps) => {
  const texts = useTexts().editor
  const canonical = Either.getOrUndefined(Cron.canonicalize(timing.expression))
  const hint =
    canonical === undefined || canonical === timing.expression.trim()
      ? texts.expressionHint
      : `${texts.canonical} ${canonical}`
  return (
    <Field label={texts.expression} hint={hint} error={error}>
      {(control) => (
        <input
          {...control}
          className="input mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          disabled={disabled}
          value={timing.expression}
          onChange={({ target }) => set({ expression: target.value })}
        />
      )}
    </Field>
  )
}

const Weekdays = ({ disabled, error, set, timing }: PartProps) => {
  const texts = useTexts()
  return (
    <fieldset className="choice" disabled={disabled}>
      <legend>{texts.editor.weekdays}</legend>
      <div className="segments">
        {texts.weekdays.long.map((name, i) => {
          const day = i + 1
          const checked = timing.weekdays.includes(day)
          return (
            <label key={name}>
              <input
                type="checkbox"
                aria-label={name}
                checked={checked}
                onChange={() =>
                  set({
                    weekdays: checked
                      ? timing.weekdays.filter((other) => other !== day)
                      : [...timing.weekdays, day].sort()
                  })
                }
              />
              <span aria-hidden="true">{texts.weekdays.short[i]}</span>
            </label>
          )
        })}
      </div>
      {error && <Problem text={error} />}
    </fieldset>
  )
}

type Place = "amount" | "date" | "time" | "zone" | "weekdays" | "expression" | "whole"

/** Which control a refusal of the domain is about; its messages begin with the field. */
const placeOf = ({ message }: ScheduleInputError): Place => {
  if (/^\w+\.time_zone\b/.test(message)) return "zone"
  if (/^at\.date\b/.test(message)) return "date"
  if (/^\w+\.time\b/.test(message)) return "time"
  if (/^weekly\.weekdays\b/.test(message)) return "weekdays"
  if (/^cron\b/.test(message)) return "expression"
  if (/^(?:after|every)_seconds\b/.test(message)) return "amount"
  return "whole"
}
