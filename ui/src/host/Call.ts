/** Calls that a person makes by pressing something. */

import type { RpcClientError } from "@effect/rpc/RpcClientError"
import { Result, useAtomValue } from "@effect-atom/atom-react"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { ScheduleUnavailable } from "../../../src/remote/ScheduleUnavailable.ts"
import * as ScheduleUnavailableError from "../../../src/remote/ScheduleUnavailable.ts"
import * as Transport from "../../../src/remote/Transport.ts"
import { Host } from "./Host.ts"

/** What a call answers: its value, or why there is none. It never rejects. */
export type Answer<A, E> = Promise<Either.Either<A, Exclude<E, RpcClientError> | ScheduleUnavailable>>

/** Runs a call on the page's connection. */
export const useCall = () => {
  const runtime = useAtomValue(Host.runtime)
  return <A, E>(call: (host: typeof Host.Service) => Effect.Effect<A, E | RpcClientError>): Answer<A, E> => {
    const contained = Transport.contain(Effect.flatMap(Host, call))
    return Result.isSuccess(runtime)
      ? Runtime.runPromise(runtime.value)(Effect.either(contained) as Effect.Effect<never, never, Host>)
      : Effect.runPromise(Effect.either(Effect.fail(ScheduleUnavailableError.make("host_unreachable"))))
  }
}
