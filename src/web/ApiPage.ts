/**
 * The OpenAPI description as a page for people, without a script.
 *
 * @since 0.1.0
 */
import type { openApi } from "../remote/HttpDescription.ts"

/**
 * @since 0.1.0
 * @category rendering
 */
export const render = ({ info, paths }: Pick<typeof openApi, "info" | "paths">): string => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ verb: verb.toUpperCase(), path, ...operation }))
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(info.title)}: HTTP</title>
<link rel="stylesheet" href="/api/style.css">
<h1>${escape(info.title)}</h1>
<p>${escape(info.description)}</p>
<p>The description for programs is <a href="/api/openapi.json">openapi.json</a>.</p>
${operations
  .map(
    ({ description, path, requestBody, responses, verb }) => `<section>
<h2>${verb} ${escape(path)}</h2>
<p>${escape(description)}</p>
${schema("Payload", requestBody?.content["application/json"]?.schema)}
${Object.entries(responses)
  .map(([status, response]) => schema(`${status} ${response.description}`, Object.values(response.content)[0]?.schema))
  .join("\n")}
</section>`
  )
  .join("\n")}
</html>
`
}

/**
 * @since 0.1.0
 * @category constants
 */
export const style = `:root { color-scheme: light dark }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h2 { font: 600 1.1rem ui-monospace, monospace; margin-top: 2.5rem }
summary { cursor: pointer }
pre { overflow: auto; padding: 1rem; border: 1px solid #8884; border-radius: 6px }
`

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const schema = (name: string, value: unknown): string =>
  value === undefined
    ? ""
    : `<details><summary>${escape(name)}</summary><pre>${escape(JSON.stringify(value, null, 2))}</pre></details>`

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
