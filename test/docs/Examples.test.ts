import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const repository = join(import.meta.dirname, "../..")

describe("the TypeScript in the guides", () => {
  const examples = ["README.md", "README.zh.md", ...guides("docs")].flatMap(examplesOf)

  it("compiles against the public modules as it stands", () => {
    expect(examples.map(({ name }) => name)).toEqual(expect.arrayContaining(["README.md-1", "docs/guide/sdk.md-1"]))
    expect(problems(examples)).toEqual([])
  }, 120_000)

  it("would not compile with a name that is not there, or with a wrong type", () => {
    const wrong = [
      'import { NoSuchThing } from "host-schedule/sdk"\nconsole.log(NoSuchThing)',
      'import { SdkProcess } from "host-schedule/sdk"\nSdkProcess.start({ command: "host-schedule sdk" })'
    ].map((text, i) => ({ name: `wrong-${i}`, text }))
    expect(problems(wrong).map((problem) => problem.split(" ")[0])).toEqual(["wrong-0.ts", "wrong-1.ts"])
  }, 120_000)
})

// internal

interface Example {
  readonly name: string
  readonly text: string
}

function guides(directory: string): ReadonlyArray<string> {
  return readdirSync(join(repository, directory), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(directory, name))
}

function examplesOf(path: string): ReadonlyArray<Example> {
  const text = readFileSync(join(repository, path), "utf8")
  return [...text.matchAll(/^ *```(?:ts|tsx|typescript)\n([\s\S]*?)^ *```$/gm)].map(([, text = ""], i) => ({
    name: `${path}-${i + 1}`,
    text
  }))
}

/** What the compiler says of them, with the settings of this repository. */
function problems(examples: ReadonlyArray<Example>): ReadonlyArray<string> {
  const config = ts.readConfigFile(join(repository, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, repository)
  const settings: ts.CompilerOptions = {
    ...options,
    paths: { "host-schedule/*": [join(repository, "src/*/index.ts")] }
  }
  const texts = new Map(examples.map(({ name, text }) => [join(repository, `${name}.ts`), text]))
  const host = ts.createCompilerHost(settings)
  const program = ts.createProgram(Array.from(texts.keys()), settings, {
    ...host,
    fileExists: (path) => texts.has(path) || host.fileExists(path),
    readFile: (path) => texts.get(path) ?? host.readFile(path),
    getSourceFile: (path, version) => {
      const text = texts.get(path)
      return text === undefined ? host.getSourceFile(path, version) : ts.createSourceFile(path, text, version)
    }
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText, start }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1
    const where = file === undefined ? "" : file.fileName.slice(repository.length + 1)
    return `${where} line ${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`
  })
}
