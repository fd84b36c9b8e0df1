/**
 * `schedule/changed` between the Hosts of a cluster.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/**
 * @since 0.1.0
 * @category services
 */
export class ChangeBus extends Context.Tag("host-schedule/cluster/ChangeBus")<
  ChangeBus,
  {
    /** Tells the other Hosts that something changed. Never fails: they read again when they are back. */
    readonly announce: Effect.Effect<void>

    /**
     * One element whenever another Host announced something, and whenever announcements may have been missed; coalesced for a
     * slow reader.
     */
    readonly others: Stream.Stream<void>
  }
>() {}
