import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Drivers from "../../src/web/Drivers.ts"

describe("the driver of a Host", () => {
  it.effect.each<[url: string | undefined, refusal: RegExp | undefined]>([
    ["https://example.org/hook?of=me", undefined],
    ["http://127.0.0.1:8080", undefined],
    [undefined, /--webhook-url/],
    ["/hook", /a whole one/],
    ["example.org/hook", /a whole one/],
    ["localhost:8080/hook", /a whole one/],
    ["ftp://example.org/hook", /a whole one/],
    ["https://me:secret@example.org/hook", /without a password/]
  ])("posts to %s, or is refused", ([webhookUrl, refusal]) =>
    Effect.gen(function* () {
      const driver = yield* Effect.either(
        Drivers.layer({ driver: "webhook", webhookSecret: "s", ...(webhookUrl !== undefined && { webhookUrl }) })
      )
      assert.strictEqual(Either.isRight(driver), refusal === undefined)
      if (Either.isLeft(driver)) {
        assert.match(driver.left.message, refusal!)
        assert.notInclude(driver.left.message, "secret")
      }
    })
  )
})
