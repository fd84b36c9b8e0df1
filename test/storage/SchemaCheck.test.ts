import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as SchemaCheck from "../../src/domain/SchemaCheck.ts"

describe("SchemaCheck", () => {
  it("refuses to compile what it cannot check", () => {
    assert.throws(() => SchemaCheck.make(Schema.NumberFromString))
    assert.throws(() => SchemaCheck.make(Schema.Record({ key: Schema.String, value: Schema.String })))
    assert.throws(() => SchemaCheck.make(Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Struct({}))))
  })
})
