/**
 * From a Session's id to the name of its directory.
 *
 * @since 0.1.0
 */
import { createHash } from "node:crypto"

/**
 * One safe path segment for any text: a plain lowercase id is its own segment, everything else is escaped, so that no two ids
 * share a segment on any file system, whether it folds case, normalises Unicode, or reserves names.
 *
 * Invariants:
 * 1. two ids have the same segment only if they are the same id (longer ones: only if their SHA-256 is the same);
 * 2. a segment consists of `a-z 0-9 _ - %`, is not empty, and has at most 200 characters;
 * 3. a segment is never a name that a platform gives a meaning to, such as `..`, `con` or `lpt1`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const segment = (id: string): string => {
  let text = ""
  for (const character of id) text += plain.test(character) ? character : escape(character)
  if (reserved.test(text)) text = escape(text[0]!) + text.slice(1)
  if (text.length === 0) return "%"
  if (text.length <= limit) return text
  // `%-` is never part of an escaped text, so that a shortened segment is no other id's full one.
  return `${text.slice(0, limit - 66)}%-${createHash("sha256").update(JSON.stringify(id)).digest("hex")}`
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

// Well below the 255 bytes of common file systems: room for suffixes, and for the 260 of a whole path on some of them.
const limit = 200

const plain = /^[a-z0-9_-]$/

const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/

const loneSurrogate = /^[\ud800-\udfff]$/

const escape = (character: string): string =>
  loneSurrogate.test(character)
    ? `%u${character.charCodeAt(0).toString(16)}`
    : Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
