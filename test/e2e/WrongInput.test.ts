import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "vitest"
import { TestHome } from "./Command.ts"
import type { Row } from "./documents.ts"

type Case = readonly [args: string, exitCode: number, code: string, message: RegExp]

/** `$S` is a Session, `$T` an active reminder of it, `$E` an ended one, `$O` a Session without reminders, `$A` an archived one. */
const cases: ReadonlyArray<Case> = [
  // the command line
  ["lst", 1, "usage", /"lst": did you mean list\?/],
  ["sessions nwe", 1, "usage", /"sessions nwe": did you mean new\?/],
  ["--home x list", 1, "usage", /flags come after the command/],
  ["list", 1, "usage", /--session is missing/],
  ["list --session", 1, "usage", /--session needs a value/],
  ["list --session $S extra", 1, "usage", /extra is unknown here/],
  ["list --sesion $S", 1, "usage", /--sesion.*--session/],
  ["delete --session $S", 1, "usage", /TASK is missing/i],
  ["catalog --status ended", 1, "usage", /active.*inactive/],
  ["update --session $S $T", 1, "usage", /say what to change/],
  ["serve --port 70000", 1, "usage", /0 to 65535/],
  ["serve --driver shell", 1, "usage", /inbox, command or webhook/],
  ["serve --command 'x", 1, "usage", /is not closed/],
  [
    "serve --cluster --storage sqlite --database-url postgres://127.0.0.1:1/x",
    2,
    "invalid_config",
    /PostgreSQL; leave sqlite out/
  ],
  // who and what
  ["create --session nobody --title T --prompt P --after 60", 1, "session_not_found", /"nobody"/],
  ["create --session $A --title T --prompt P --after 60", 1, "session_archived", /unarchive it first/],
  ["create --session $S --prompt P --after 60", 1, "invalid_prompt", /title must be a text of 1 to 120/],
  [`create --session $S --title ${"x".repeat(121)} --prompt P --after 60`, 1, "invalid_prompt", /1 to 120/],
  [
    "create --session $S --title T --prompt ' ' --after 60",
    1,
    "invalid_prompt",
    /prompt must be a text that is not blank/
  ],
  // when: none, several, parts that do not go together
  ["create --session $S --title T --prompt P", 1, "invalid_selector", /exactly one of .* none was given/],
  ["create --session $S --title T --prompt P --after 60 --every 60", 1, "invalid_selector", /both given/],
  ["create --session $S --title T --prompt P --every 60 --zone UTC", 1, "invalid_selector", /--zone goes with/],
  [
    "create --session $S --title T --prompt P --daily 09:00:00 --zone UTC --weekdays 1",
    1,
    "invalid_selector",
    /--weekdays goes with --weekly/
  ],
  // when: each rule
  [
    "create --session $S --title T --prompt P --after 0",
    1,
    "invalid_rule",
    /after_seconds must be a positive whole number/
  ],
  ["create --session $S --title T --prompt P --after soon", 1, "invalid_rule", /after_seconds/],
  ["create --session $S --title T --prompt P --after 9007199254740991", 1, "time_out_of_range", /9999/],
  ["create --session $S --title T --prompt P --every 59", 1, "frequency_too_high", /at least 60/],
  ["create --session $S --title T --prompt P --every 1e3", 1, "invalid_rule", /every_seconds/],
  ["create --session $S --title T --prompt P --at 2020-01-01T00:00:00Z", 1, "not_future", /later than now/],
  ["create --session $S --title T --prompt P --at tomorrow", 1, "invalid_rule", /YYYY-MM-DDTHH:mm:ss/],
  ["create --session $S --title T --prompt P --at 2099-02-30T00:00:00Z", 1, "invalid_rule", /exist/],
  ["create --session $S --title T --prompt P --at 2099-01-01T00:00:00-00:00", 1, "invalid_rule", /-00:00/],
  [
    "create --session $S --title T --prompt P --at 2027-03-14T02:30:00 --zone America/New_York",
    1,
    "invalid_rule",
    /skip 2027-03-14 02:30/
  ],
  ["create --session $S --title T --prompt P --daily 24:00:00 --zone UTC", 1, "invalid_rule", /daily.time/],
  ["create --session $S --title T --prompt P --daily 09:00:00", 1, "invalid_rule", /exactly \{time, time_zone\}/],
  ["create --session $S --title T --prompt P --daily 09:00:00 --zone EST", 1, "invalid_time_zone", /IANA/],
  ["create --session $S --title T --prompt P --daily 09:00:00 --zone +08:00", 1, "invalid_time_zone", /IANA/],
  [
    "create --session $S --title T --prompt P --weekly 09:00:00 --zone UTC --weekdays 0,8",
    1,
    "invalid_rule",
    /weekdays 1 \(Monday\) to 7/
  ],
  [
    "create --session $S --title T --prompt P --weekly 09:00:00 --zone UTC --weekdays 1,1",
    1,
    "invalid_rule",
    /none twice/
  ],
  ["create --session $S --title T --prompt P --cron '60 * * * *' --zone UTC", 1, "invalid_rule", /minute/],
  ["create --session $S --title T --prompt P --cron '0 0 * JAN *' --zone UTC", 1, "invalid_rule", /month/],
  ["create --session $S --title T --prompt P --cron '* * * *' --zone UTC", 1, "invalid_rule", /five/],
  ["create --session $S --title T --prompt P --cron @daily --zone UTC", 1, "invalid_rule", /five/],
  ["create --session $S --title T --prompt P --cron '0 0 30 2 *' --zone UTC", 1, "time_out_of_range", /no occurrence/],
  // what is stored
  ["update --session $S $T --after 60", 1, "invalid_selector", /--at/],
  ["update --session $S $T --every 10", 1, "frequency_too_high", /at least 60/],
  ["update --session $S $T --title ' '", 1, "invalid_prompt", /title/],
  ["update --session $S $E --title X", 1, "schedule_ended", /has ended/],
  ["update --session $O $T --title X", 1, "schedule_not_found", /there is no reminder/],
  ["delete --session $O $T", 1, "schedule_not_found", /there is no reminder/],
  ["delete --session $S schedule-nope", 1, "schedule_not_found", /"schedule-nope"/],
  ["history --session $S $T --limit 0", 1, "invalid_rule", /limit/],
  ["history --session $S $T --limit ten", 1, "invalid_rule", /limit/],
  ["history --session $S $T --before nothing", 1, "delivery_cursor_not_found", /--before/],
  ["history --session $O $T", 1, "schedule_not_found", /there is no reminder/],
  // previews
  ["preview", 1, "invalid_selector", /none was given/],
  ["preview --every 60 --count 101", 1, "invalid_rule", /1 to 100/],
  ["preview --every 60 --from now", 1, "invalid_rule", /from must be an instant/],
  ["preview --jsonl --every 60", 1, "usage", /each line of stdin/],
  // Sessions
  ["sessions show nobody", 1, "session_not_found", /"nobody"/],
  ["sessions new --id $S", 1, "session_exists", /already/],
  ["sessions new --id ' x'", 1, "invalid_session", /non-empty/],
  ["sessions archive $S", 1, "session_active", /schedule \(.*\)/],
  // the store
  ["export /nowhere/x.json", 1, "file_unusable", /cannot write \/nowhere\/x.json/],
  ["import", 2, "store_locked", /pid|process/]
]

describe("wrong input", () => {
  it(`is refused in one line, with its code and exit status: ${cases.length} cases`, async () => {
    await using home = new TestHome()
    const host = await home.serve()
    const [session, other, archived] = [
      await home.ok("sessions", "new"),
      await home.ok("sessions", "new"),
      await home.ok("sessions", "new")
    ]
    await home.ok("sessions", "archive", archived)
    const create = (when: object) =>
      host.call<Row["record"]>("schedule.create", { sessionId: session, request: { title: "T", prompt: "P", ...when } })
    const [active, ended] = [await create({ every_seconds: 3600 }), await create({ after_seconds: 1 })]
    await home.until("a message", () => home.messages(session).length > 0)
    // its receipt follows
    while ((await host.call<ReadonlyArray<unknown>>("schedule.list", { sessionId: session })).length > 1)
      await setTimeout(10)
    const names: Record<string, string> = { $S: session, $O: other, $A: archived, $T: active.id, $E: ended.id }
    const before = await host.call("schedule.catalog", {})

    const failures: Array<string> = []
    const run = async ([line, exitCode, code, message]: Case) => {
      const { stderr, stdout, ...outcome } = await home.run(words(line).map((word) => names[word] ?? word))
      const [, said = "", saidCode] = /^host-schedule: (.*) \(([a-z_]+)\)\n$/.exec(stderr) ?? []
      const right = outcome.code === exitCode && stdout === "" && saidCode === code && message.test(said)
      if (!right) failures.push(`${line}: ${outcome.code} ${stderr}${stdout}`)
    }
    const queue = [...cases]
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next)
      })
    )
    assert.deepStrictEqual(failures, [])
    assert.deepStrictEqual(await host.call("schedule.catalog", {}), before)
  })

  it("with --json the line is {code, message}, on stderr", async () => {
    await using home = new TestHome()
    for (const args of [
      ["preview", "--every", "59", "--json"],
      ["lst", "--json"],
      ["list", "--json"]
    ]) {
      const { code, stderr, stdout } = await home.run(args)
      assert.deepStrictEqual([code, stdout, Object.keys(JSON.parse(stderr))], [1, "", ["code", "message"]])
    }
  })

  it("what keeps a Host from running is told with what to do, and exit status 2", async () => {
    await using home = new TestHome()
    await using blocked = new TestHome()
    const host = await home.serve()
    const port = new URL((await host.ready).url).port
    const outcomes = [
      [await home.run(["serve", "--port", "0"]), /store_locked/],
      [await blocked.run(["serve", "--port", port]), /port \d+ of 127.0.0.1 is in use; .*--port \(cannot_listen\)/],
      [await blocked.run(["serve", "--host", "192.0.2.1"]), /no address of this machine; .*--host \(cannot_listen\)/],
      [await blocked.run(["serve", "--home", home.path("token")]), /not a directory; .*--home \(home_unusable\)/],
      [await blocked.run(["serve", "--driver", "command"]), /needs --command.*\(invalid_config\)/],
      [await blocked.run(["serve"], { env: { HOST_SCHEDULE_MAX_SLEEP: "never" } }), /maxSleep.*\(invalid_config\)/]
    ] as const
    for (const [{ code, stderr, stdout }, line] of outcomes) {
      assert.deepStrictEqual([code, stdout], [2, ""], stderr)
      assert.match(stderr, line)
      assert.match(stderr, /^host-schedule: [^\n]*\n$/)
    }
  })
})

/** Splits at spaces, but not within single quotes that are closed. */
const words = (line: string) =>
  (line.match(/'[^']*'|\S+/g) ?? []).map((word) => (word.length > 1 && word.endsWith("'") ? word.slice(1, -1) : word))
