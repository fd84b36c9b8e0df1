/**
 * A resource that several scopes share.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/**
 * Acquires a resource for the first scope that uses it, and releases it with the last. It needs no scope itself, unlike `RcRef`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A, E>(acquire: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E, Scope.Scope> => {
  let users = 0
  let current: { readonly scope: Scope.CloseableScope; readonly value: A } | undefined
  const turn = Effect.unsafeMakeSemaphore(1)
  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const value = yield* Effect.onError(Scope.extend(acquire, scope), (cause) =>
      Scope.close(scope, Exit.failCause(cause))
    )
    current = { scope, value }
    return value
  })
  const release = Effect.suspend(() => {
    users--
    if (users > 0 || current === undefined) return Effect.void
    const { scope } = current
    current = undefined
    return Scope.close(scope, Exit.void)
  })
  return Effect.acquireRelease(
    turn.withPermits(1)(
      Effect.tap(
        Effect.suspend(() => (current === undefined ? open : Effect.succeed(current.value))),
        () => {
          users++
          return Effect.void
        }
      )
    ),
    () => turn.withPermits(1)(release)
  )
}
