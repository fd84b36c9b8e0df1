/**
 * On whose behalf a tool is called.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { SessionId } from "../domain/Identifiers.ts"

/**
 * The Session of the Agent that calls a tool. Whoever runs the Agent provides it around the call, so that no argument which a
 * model fills in can name another Session. The default is none, with which every tool answers `internal_error`.
 *
 * @since 0.1.0
 * @category services
 */
export class CallingSession extends Context.Reference<CallingSession>()("host-schedule/tools/CallingSession", {
  defaultValue: (): Option.Option<SessionId> => Option.none()
}) {}
