/** The arrows of the layout: what each folder of src may import. */
const folder = (name) => `^src/${name}/`
const only = (from, ...to) => ({
  name: `${from}-arrows`,
  comment: `src/${from} may import only ${[from, ...to].map((name) => `src/${name}`).join(", ")}.`,
  severity: "error",
  from: { path: folder(from) },
  to: { path: "^src/", pathNot: [from, ...to].map(folder) }
})

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    only("domain"),
    only("concurrency"),
    only("storage", "domain", "concurrency"),
    only("runtime", "domain", "concurrency", "storage"),
    only("session", "concurrency"),
    only("legacy", "domain", "concurrency", "session"),
    only("remote", "domain", "concurrency", "storage", "runtime", "session"),
    only("tools", "domain", "concurrency", "storage", "runtime", "remote"),
    only("cluster", "domain", "concurrency", "storage", "runtime", "session", "remote"),
    only("web", "domain", "concurrency", "storage", "runtime", "session", "remote", "tools", "legacy", "cluster"),
    only("sdk", "domain", "concurrency", "storage", "runtime", "session", "remote", "tools"),
    only("cli", "domain", "concurrency", "storage", "runtime", "session", "remote", "tools", "legacy", "web", "sdk"),
    {
      name: "domain-is-pure",
      comment: "src/domain runs in the browser: no Node module, and of effect only data types.",
      severity: "error",
      from: { path: folder("domain") },
      to: {
        pathNot: "^src/|node_modules/effect/dist/.*/(Schema|Either|Option|Data|Brand|ParseResult|SchemaAST)\\."
      }
    },
    {
      name: "entry-points-are-for-consumers",
      comment: "index.ts files are the package's public modules; code inside src imports the concept's own file.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/[a-z]+/index\\.ts$" }
    }
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"]
    },
    doNotFollow: { path: "node_modules" }
  }
}
