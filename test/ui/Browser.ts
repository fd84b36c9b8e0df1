import { existsSync, readFileSync } from "node:fs"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import type { TestHome } from "../e2e/Command.ts"

/** The browser of this machine, else the one that comes with the development dependencies (Linux only). */
const executablePath = async (): Promise<string> => {
  const installed = [
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  ].find((path) => existsSync(path))
  if (installed !== undefined && process.env.BUNDLED_CHROMIUM === undefined) return installed
  // makes it bring the system libraries that a bare machine lacks
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs22.x"
  const { default: bundled } = await import("@sparticuz/chromium")
  return bundled.executablePath()
}

export const launch = async (): Promise<Browser> =>
  chromium.launch({ executablePath: await executablePath(), args: ["--no-sandbox"] })

/** What a test's browser says of its viewer, unless the test says otherwise. */
const viewer: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: "en-GB",
  timezoneId: "Europe/Paris",
  reducedMotion: "reduce"
}

/** A page of a Host, signed in. Anything that the page reports as an error, such as a breach of its policy, fails `errors`. */
export const open = async (
  browser: Browser,
  home: TestHome,
  options: BrowserContextOptions & {
    readonly hash?: string
    readonly prepare?: (context: BrowserContext) => Promise<unknown>
  } = {}
): Promise<Page & { readonly errors: Array<string> }> => {
  const { hash = "", prepare, ...viewed } = options
  const { url } = JSON.parse(readFileSync(home.path("host.json"), "utf8"))
  const token = readFileSync(home.path("token"), "utf8").trim()
  const answer = await fetch(`${url}/login`, { method: "POST", headers: { authorization: `Bearer ${token}` } })
  const { path } = (await answer.json()) as { readonly path: string }
  const context = await browser.newContext({ ...viewer, ...viewed })
  context.setDefaultTimeout(15_000)
  await prepare?.(context)
  const page = await context.newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    // a socket that finds no Host is told by the browser itself
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION/.test(message.text())) errors.push(message.text())
  })
  await page.goto(`${url}${path}`)
  if (hash !== "") await page.goto(`${url}/${hash}`)
  await page.locator(".connection.Live").waitFor()
  return Object.assign(page, { errors })
}
