/**
 * Reading what a model sends to the tools.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Input from "../domain/Input.ts"
import { refuse, type ScheduleInputError } from "../domain/ScheduleInputError.ts"
import * as Selector from "../domain/Selector.ts"

/**
 * The members of the arguments, all of which must be among `keys`: fails with `invalid_selector`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const members = (args: unknown, keys: ReadonlyArray<string>): Decoded<Input.Fields> => {
  const input = Input.snapshot(args)
  if (!Input.isFields(input)) return refuse("invalid_selector", "the arguments must be an object")
  const unknown = Input.unknownKey(input, keys)
  return unknown === undefined
    ? Either.right(input)
    : refuse("invalid_selector", `unknown key ${unknown}: allowed are ${keys.length === 0 ? "none" : keys.join(", ")}`)
}

/**
 * The id among the members: fails with `invalid_rule`.
 *
 * @since 0.1.0
 * @category decoding
 */
export const id = ({ id }: Input.Fields): Decoded<string> =>
  typeof id === "string" && id.length > 0 && id.trim() === id
    ? Either.right(id)
    : refuse("invalid_rule", "id must be the id of a reminder, without surrounding spaces")

/**
 * The id, and what an update takes beside it, with everything refused that can be without the stored task.
 *
 * @since 0.1.0
 * @category decoding
 */
export const update = (args: unknown) =>
  Either.gen(function* () {
    const given = yield* members(args, ["id", ...editable])
    const [name, second] = changeNames.filter((name) => name in given)
    if (second !== undefined) {
      return yield* refuse("invalid_selector", `at most one timing is wanted: ${name} and ${second} were both given`)
    }
    if (!editable.some((key) => key in given)) {
      return yield* refuse("invalid_selector", `at least one of ${editable.join(", ")} is wanted: none was given`)
    }
    const task = yield* id(given)
    if ("title" in given) yield* Input.title(given.title)
    if ("prompt" in given) yield* Input.prompt(given.prompt)
    const { prompt, title } = given
    if (name === undefined) return { id: task, edit: { title, prompt } }
    yield* Selector.decode({ name, value: given[name] })
    return { id: task, edit: { title, prompt, change: { kind: changeKinds[name], [name]: given[name] } } }
  })

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

type Decoded<A> = Either.Either<A, ScheduleInputError>

const changeKinds = { at: "at", every_seconds: "every", daily: "daily", weekly: "weekly", cron: "cron" } as const
const changeNames = Object.keys(changeKinds) as ReadonlyArray<keyof typeof changeKinds>
const editable = ["title", "prompt", ...changeNames]
