/**
 * Words that are no command, told before anything is parsed, because what was meant is easier to see there.
 *
 * @since 0.1.0
 */
import * as CliFailure from "./CliFailure.ts"

/**
 * The subcommands of a command by name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tree {
  readonly [name: string]: Tree
}

/**
 * Refuses the first word that is no subcommand where one is wanted.
 *
 * @since 0.1.0
 * @category validation
 */
export const check = (args: ReadonlyArray<string>, tree: Tree): CliFailure.CliFailure | undefined => {
  const [first, second] = args
  if (first === undefined) return undefined
  if (first.startsWith("-")) {
    return builtIns.test(first)
      ? undefined
      : CliFailure.refused("usage", `no command before ${JSON.stringify(first)}; flags come after the command`)
  }
  const subtree = Object.hasOwn(tree, first) ? tree[first] : undefined
  if (subtree === undefined) return unknown("", first, tree)
  if (second === undefined || second.startsWith("-") || Object.keys(subtree).length === 0) return undefined
  return Object.hasOwn(subtree, second) ? undefined : unknown(`${first} `, second, subtree)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const builtIns = /^(--help|-h|--version|--completions|--wizard|--log-level)(=|$)/

const unknown = (parent: string, word: string, tree: Tree): CliFailure.CliFailure => {
  const names = Object.keys(tree).sort()
  const [closest] = names
    .map((name) => ({ name, distance: distance(word.toLowerCase(), name) }))
    .filter(({ distance, name }) => distance <= Math.max(2, name.length / 3))
    .sort((self, that) => self.distance - that.distance)
  const hint = closest === undefined ? `use one of ${names.join(", ")}` : `did you mean ${closest.name}?`
  return CliFailure.refused("usage", `there is no command ${JSON.stringify(parent + word)}: ${hint}`)
}

/** How many characters to insert, delete or replace. */
const distance = (self: string, that: string): number => {
  let previous = Array.from({ length: that.length + 1 }, (_, i) => i)
  for (let i = 0; i < self.length; i++) {
    const row = [i + 1]
    for (let j = 0; j < that.length; j++) {
      row.push(Math.min(row[j]! + 1, previous[j + 1]! + 1, previous[j]! + (self[i] === that[j] ? 0 : 1)))
    }
    previous = row
  }
  return previous[that.length]!
}
