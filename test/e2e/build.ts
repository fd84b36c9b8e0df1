import { execFileSync } from "node:child_process"

/** Bundles the command once, before the tests start it. */
export default () => {
  execFileSync(process.execPath, ["scripts/build.mjs", "--bundle"], { stdio: "inherit" })
}
