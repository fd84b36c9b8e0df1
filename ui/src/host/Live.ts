/**
 * What is read from the Host and stays true: read again after every change that the Host announces, after a reconnect and on
 * demand. A read that fails keeps what was read before.
 */

import type { RpcClientError } from "@effect/rpc/RpcClientError"
import { Atom, Result, useAtomSet, useAtomValue } from "@effect-atom/atom-react"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { ScheduleUnavailable } from "../../../src/remote/ScheduleUnavailable.ts"
import * as Transport from "../../../src/remote/Transport.ts"
import { Host } from "./Host.ts"

/** Whether the page hears the Host. `signal` grows with everything it heard, so that readers read again. */
export type Connection =
  | { readonly _tag: "Connecting" }
  | { readonly _tag: "Live"; readonly signal: number }
  | { readonly _tag: "Lost"; readonly error: ScheduleUnavailable }

/** What is known of something on the Host: its latest value, and why it could not be read last time. */
export interface Reading<A, E = never> {
  readonly value?: A
  readonly failure?: E | ScheduleUnavailable
}

/** The last word on the connection. */
export const connection: Atom.Atom<Connection> = Atom.map(
  Host.runtime.atom(Stream.unwrap(Effect.suspend(() => heard))),
  Result.getOrElse((): Connection => connecting)
)

const nudge = Atom.make(0)

/** Something that is read again whenever it may have changed, one read at a time. */
export const live = <A, E>(read: Effect.Effect<A, E | RpcClientError, Host>): Atom.Atom<Reading<A, E>> =>
  Atom.map(
    Host.runtime.atom((get) =>
      get.stream(connection).pipe(
        Stream.merge(Stream.map(get.stream(nudge, { withoutInitialValue: true }), () => get.once(connection))),
        Stream.filter((state) => state._tag !== "Connecting"),
        Stream.bufferChunks({ capacity: 1, strategy: "sliding" }),
        Stream.mapEffect((state) =>
          state._tag === "Lost" ? Effect.succeed(Either.left(state.error)) : Effect.either(Transport.contain(read))
        ),
        Stream.scan({} as Reading<A, E>, (reading, result) =>
          Either.isRight(result) ? { value: result.right } : { ...reading, failure: result.left }
        )
      )
    ),
    Result.getOrElse(() => ({}))
  )

/** What is known of an atom that was made with {@link live}. */
export const useReading = <A, E>(atom: Atom.Atom<Reading<A, E>>): Reading<A, E> => useAtomValue(atom)

/** Reads everything again that is shown, after something that the Host does not announce. */
export const useRefresh = () => {
  const set = useAtomSet(nudge)
  return () => set((count) => count + 1)
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const connecting: Connection = { _tag: "Connecting" }

const heard = Effect.map(Host, (client) => {
  let signal = 0
  return Transport.containStream(client("schedule.changed", undefined)).pipe(
    Stream.map((): Connection => ({ _tag: "Live", signal: ++signal })),
    Stream.catchAll((error) =>
      Stream.concat(
        Stream.make<[Connection]>({ _tag: "Lost", error }),
        Stream.drain(Stream.fromEffect(Effect.sleep("300 millis")))
      )
    ),
    Stream.forever,
    Stream.changesWith((a, b) => a._tag === "Lost" && b._tag === "Lost" && a.error.code === b.error.code)
  )
})
