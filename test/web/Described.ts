import { Ajv } from "ajv"
import { assert } from "vitest"
import { openApi } from "../../src/remote/HttpDescription.ts"

// strict: whatever else JSON Schema does not know is a mistake in the description
const ajv = new Ajv({ strict: true, strictTypes: false })
  .addVocabulary(Object.keys(openApi))
  .addSchema({ ...openApi, $id: "openapi" }, undefined, undefined, false)

const seen = new Set<string>()

/** What the description has for a method: `POST /api/x 200`, and so on. */
export const documented: ReadonlyArray<string> = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([verb, { responses }]) =>
    Object.keys(responses).map((status) => `${verb.toUpperCase()} ${path} ${status}`)
  )
)

/** Of what the description has, what no answer that was checked had. */
export const unseen = (): ReadonlyArray<string> => documented.filter((name) => !seen.has(name))

/** An answer must have a status that the description has for the call, and its body must be as described there. */
export const check = (verb: "GET" | "POST", path: string, status: number, body: unknown): void => {
  const name = `${verb} ${path} ${status}`
  assert.include(documented, name, JSON.stringify(body))
  seen.add(name)
  valid(`paths/${escaped(path)}/${verb.toLowerCase()}/responses/${status}/content/${escaped("application/json")}`, body)
}

/** A payload that was taken must be as described. */
export const checkPayload = (path: string, payload: unknown): void =>
  valid(`paths/${escaped(path)}/post/requestBody/content/${escaped("application/json")}`, payload)

/** An event stream counts as seen. */
export const checkStream = (path: string, type: string | null): void => {
  assert.include(documented, `GET ${path} 200`)
  assert.strictEqual(type, Object.keys(openApi.paths[path]?.get?.responses[200]?.content ?? {})[0])
  seen.add(`GET ${path} 200`)
}

// internal

const escaped = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))

const valid = (pointer: string, value: unknown) => {
  const validate = ajv.getSchema(`openapi#/${pointer}/schema`)
  assert.isDefined(validate, pointer)
  const isValid = validate?.(value)
  assert.isTrue(isValid, `${pointer}: ${JSON.stringify(value)}: ${JSON.stringify(validate?.errors)}`)
}
