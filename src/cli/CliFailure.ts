/**
 * How a command ends when it does not do what it was told: one line on stderr and an exit code.
 *
 * @since 0.1.0
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as ConfigError from "effect/ConfigError"
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Text from "./Text.ts"

/**
 * `exitCode` 1: refused, correct the input; 2: cannot run, mend the Host or its home. `message` says what was wrong and what
 * to do, in one line.
 *
 * @since 0.1.0
 * @category errors
 */
export class CliFailure extends Data.TaggedError("CliFailure")<{
  readonly exitCode: 1 | 2
  readonly code: string
  readonly message: string
}> {}

/**
 * A refusal: exit code 1.
 *
 * @since 0.1.0
 * @category constructors
 */
export const refused = (code: string, message: string): CliFailure => new CliFailure({ exitCode: 1, code, message })

/**
 * A command that cannot run: exit code 2.
 *
 * @since 0.1.0
 * @category constructors
 */
export const cannotRun = (code: string, message: string): CliFailure => new CliFailure({ exitCode: 2, code, message })

/**
 * What an answer without a task means.
 *
 * @since 0.1.0
 * @category constructors
 */
export const miss = (code: keyof typeof misses, id: string): CliFailure =>
  refused(code, misses[code](JSON.stringify(id)))

/**
 * What any error of any command ends as.
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromError = (error: unknown): CliFailure => {
  if (error instanceof CliFailure) return error
  if (ValidationError.isValidationError(error))
    return refused("usage", reworded(plain(HelpDoc.toAnsiText(error.error))))
  if (ConfigError.isConfigError(error)) return cannotRun("invalid_config", plain(String(error)))
  if (Predicate.hasProperty(error, "_tag") && Predicate.hasProperty(error, "message")) {
    const tag = String(error._tag)
    const message = plain(String(error.message)) + (hints[tag] ?? "")
    if (Object.hasOwn(refusals, tag)) return refused(codeOf(error) ?? codes[tag] ?? "refused", message)
    return cannotRun(codeOf(error) ?? codes[tag] ?? "internal_error", message)
  }
  return cannotRun("internal_error", plain(String(error)))
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const misses = {
  schedule_not_found: (id: string) =>
    `there is no reminder ${id} in this Session; \`host-schedule list\` shows those that are`,
  schedule_ended: (id: string) => `reminder ${id} has ended and cannot be changed; create another`,
  schedule_conflict: (id: string) => `reminder ${id} was changed by someone else meanwhile; look at it and try again`,
  delivery_cursor_not_found: () =>
    "no saved delivery has the message id of --before; leave it out to begin at the newest"
}

const refusals = { ScheduleInputError: true, SessionRefused: true, DomainNotEmpty: true }

const codes: Readonly<Record<string, string>> = {
  HomeUnusable: "home_unusable",
  HostConfigInvalid: "invalid_config",
  CannotListen: "cannot_listen",
  CannotJoin: "cannot_join",
  DomainAlreadyOpen: "store_locked",
  DomainNotEmpty: "store_not_empty",
  DomainVersionMismatch: "store_version",
  DomainMalformed: "store_malformed",
  StorageFailure: "storage_failed",
  StorageUnknownState: "storage_unknown_state",
  StorageOwnershipLost: "storage_ownership_lost",
  StorageQuarantined: "storage_quarantined",
  DomainClosed: "storage_closed",
  ServiceStopping: "host_stopping"
}

/** What to do, where the error itself does not say it. */
const hints: Readonly<Record<string, string>> = {
  ScheduleLogError: "; mend it (`host-schedule check --repair` moves bad rows of the store aside)",
  DomainAlreadyOpen: "; stop that process first",
  DomainMalformed: "; mend the file, or put a good one in its place",
  DomainNotEmpty: "; keep them and add the others with --merge"
}

const codeOf = (error: object): string | undefined =>
  Predicate.hasProperty(error, "code") && Predicate.isString(error.code) ? error.code : undefined

const reworded = (text: string): string =>
  text
    .replace(/^Expected to find option: '(.*)'$/, "$1 is missing")
    .replace(/^Received unknown argument: '(.*)'$/, "$1 is unknown here, or was given twice")
    .replace(/^Expected a value following option: '(.*)'$/, "$1 needs a value")
    .replace(/^Missing argument <(.*)>$/, "$1 is missing")

/** One line without colours. */
const plain = (text: string): string =>
  Text.withoutColours(text)
    .replaceAll(/\s*\n\s*/g, " ")
    .trim()
