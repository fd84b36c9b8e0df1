/**
 * Measures the occurrence engine beside its peers: `npm run bench:occurrence`. With `-- --write` the answer goes into
 * docs/occurrences.md. Exits with 1 when the engine misses what it is meant to reach.
 */
import { fork } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { type Agreement, measure, type Speed, type Task, type Zones } from "./measure.ts"
import { peers } from "./peers.ts"
import { bars, type Result, report } from "./report.ts"
import { changingZones, type Question, questions, zones } from "./workload.ts"

const questionsPerZone = 250

const main = async () => {
  const asked = changingZones.map((timeZone) => ({ timeZone, questions: questions(timeZone, questionsPerZone) }))
  const results = new Map<string, Result>()
  for (const { name: peer } of peers) {
    console.error(`measuring ${peer}`)
    results.set(peer, {
      speeds: await inTurn(zones, (timeZone) => inProcess<Speed>({ kind: "speed", peer, timeZone }, timeZone)),
      parse: await inProcess<number>({ kind: "parse", peer }, "UTC"),
      agreement: sum(
        await inTurn(asked, ({ questions, timeZone }) =>
          inProcess<Agreement>({ kind: "agreement", peer, timeZone, questions }, timeZone)
        )
      )
    })
  }
  const all: ReadonlyArray<Question> = asked.flatMap(({ questions }) => questions)
  const measured = {
    peers: results,
    questions: all.length,
    policies: all.filter((question) => question.isPolicy).length,
    zones: await inProcess<Zones>({ kind: "zones" }, "UTC")
  }
  console.log(report(measured))
  if (process.argv.includes("--write")) write(report(measured))
  for (const { text } of bars(measured).filter((bar) => !bar.isReached)) {
    console.error(`missed: ${text}`)
    process.exitCode = 1
  }
}

/** Runs a task in a process of its own, whose zone is the one that libraries without zones work in. */
const inProcess = <A>(task: Task, TZ: string): Promise<A> =>
  new Promise((resolve, reject) => {
    const child = fork(process.argv[1]!, ["--measure"], { env: { ...process.env, TZ }, execArgv: ["--expose-gc"] })
    child.once("message", (answer) => resolve(answer as A))
    child.once("exit", (code) => reject(new Error(`${JSON.stringify(task).slice(0, 100)} ended with ${code}`)))
    child.send(task)
  })

/** One after the other, so that they do not disturb each other. */
const inTurn = async <A, B>(items: ReadonlyArray<A>, run: (item: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const answers: Array<B> = []
  for (const item of items) answers.push(await run(item))
  return answers
}

const sum = (agreements: ReadonlyArray<Agreement>): Agreement => ({
  agreed: agreements.reduce((sum, { agreed }) => sum + agreed, 0),
  agreedPolicy: agreements.reduce((sum, { agreedPolicy }) => sum + agreedPolicy, 0)
})

const write = (text: string) => {
  const file = "docs/occurrences.md"
  const parts = readFileSync(file, "utf8").split(/(?<=<!-- measured -->\n)|(?=<!-- end -->)/)
  writeFileSync(file, `${parts[0]}${text}\n${parts[parts.length - 1]}`)
}

if (process.argv.includes("--measure")) {
  process.once("message", (task: Task) => {
    process.send!(measure(task), () => process.exit())
  })
} else {
  await main()
}
