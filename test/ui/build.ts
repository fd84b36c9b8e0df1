import { execFileSync } from "node:child_process"

/** Builds the page, before the tests start Hosts that serve it. */
export default () => {
  execFileSync(process.execPath, ["scripts/build.mjs", "--page"], { stdio: "inherit" })
}
