import type { Reporter, TestModule } from "vitest/node"

/** Ends a run with one plain line that any program can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      // a module that could not be loaded, or whose hooks failed, has no failed test to show for it
      if (!module.ok() && [...module.children.allTests("failed")].length === 0) count.failed++
    }
    process.once("exit", () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`)
    })
  }
}
