/**
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The Host is shutting down and accepts no more work. What was accepted before is finished.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServiceStopping extends Schema.TaggedError<ServiceStopping>("host-schedule/runtime/ServiceStopping")(
  "ServiceStopping",
  {}
) {
  override get message() {
    return "the Host is shutting down"
  }
}
