import { execFileSync } from "node:child_process"

const done = Symbol.for("host-schedule/test/command-built")

/** Bundles the command once, before the tests start it, however many projects ask for it. */
export default () => {
  if (Reflect.get(globalThis, done)) return
  execFileSync(process.execPath, ["scripts/build.mjs", "--bundle"], { stdio: "inherit" })
  Reflect.set(globalThis, done, true)
}
