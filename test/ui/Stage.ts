import type { Browser } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { type Host, TestHome } from "../e2e/Command.ts"
import { launch, open } from "./Browser.ts"

/** A browser and a Host for the tests of a file; `prepare` has the home before the Host. */
export const stage = (prepare?: (home: TestHome) => Promise<unknown>) => {
  let home: TestHome
  let host: Host
  let browser: Browser
  beforeAll(async () => {
    home = new TestHome()
    await prepare?.(home)
    const [started, launched] = await Promise.all([home.serve(), launch()])
    host = started
    browser = launched
  })
  afterAll(async () => {
    await browser.close()
    await home[Symbol.asyncDispose]()
  })
  return {
    get home() {
      return home
    },
    /** Opens a page of the Host for a viewer of its own. */
    open: (options?: Parameters<typeof open>[2]) => open(browser, home, options),
    stopHost: () => host.stop(),
    startHost: async (port: string) => {
      host = await home.serve("--port", port)
    }
  }
}
