import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

describe("the Chinese README", () => {
  it("keeps step with the English one", () => {
    expect(outline("README.zh.md")).toEqual(outline("README.md"))
  })
})

/** What does not depend on the language: the levels of headings, code to the letter, pictures and links in each section. */
const outline = (path: string) => {
  const text = readFileSync(path, "utf8")
  const code = [...text.matchAll(/^```\w*\n[\s\S]*?^```$/gm)].map(([block]) => block)
  const prose = text.replace(/^```\w*\n[\s\S]*?^```$/gm, "")
  const sections = prose.split(/^(?=#+ )/m).map((section) => ({
    level: /^#*/.exec(section)?.[0].length,
    links: [...section.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !target?.startsWith("README")),
    items: [...section.matchAll(/^- /gm)].length
  }))
  return { code, sections }
}
