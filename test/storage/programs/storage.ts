/** The storage that a program was started with. */
import { Redacted } from "effect"
import type * as Storage from "../../../src/storage/Storage.ts"

/** A storage as an argument: JSON, as a redacted URL has none. */
export const toArgument = (storage: Storage.Storage): string =>
  JSON.stringify(storage.kind === "postgres" ? { ...storage, url: Redacted.value(storage.url) } : storage)

export const fromArgument = (text: string): Storage.Storage => {
  const storage = JSON.parse(text)
  return storage.kind === "postgres" ? { ...storage, url: Redacted.make(storage.url) } : storage
}
