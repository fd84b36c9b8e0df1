/** The page's texts in English; other languages have the same members. */
const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`

export const english = {
  code: "en",
  name: "English",
  nav: { label: "Main", tasks: "Tasks", timeline: "Timeline", sessions: "Sessions", skip: "Skip to content" },
  settings: {
    language: "Language",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" }
  },
  connection: {
    Connecting: "Connecting",
    Live: "Live",
    Lost: "Offline",
    lost: "The Host does not answer. What you see was read before; the page reads again as soon as the Host is back.",
    signedOut:
      "The Host no longer accepts this browser's sign-in. Run host-schedule url in a terminal and open the link it prints."
  },
  broken: {
    title: "This part of the page has broken",
    hint: "It is a mistake in the page. What the Host keeps is not affected.",
    reload: "Load the page again"
  },
  reading: {
    loading: "Loading…",
    failed: "This could not be read",
    stale: "This could not be read again; what you see is older",
    retry: "Try again"
  },
  actions: {
    cancel: "Cancel",
    save: "Save",
    saving: "Saving…",
    close: "Close",
    delete: "Delete",
    more: "Show all",
    less: "Show less"
  },
  tasks: {
    title: "Tasks",
    new: "New task",
    search: "Search title, instruction or Session",
    filter: "Status",
    filters: { all: "All", active: "Enabled", inactive: "Inactive" },
    shown: (shown: number, all: number) =>
      shown === all ? plural(all, "task") : `${shown.toLocaleString("en")} of ${plural(all, "task")}`,
    status: { scheduled: "Scheduled", overdue: "Due now", inactive: "Inactive" },
    next: "Next run",
    last: "Last delivery",
    never: "None yet",
    session: "Session",
    draft: "Unsaved changes",
    empty: "No tasks yet",
    emptyHint: "A task reminds an agent Session at the times you choose.",
    none: "No task matches",
    noneHint: "Change the search or the filter.",
    clear: "Clear search and filter",
    pick: "Choose a task to see its rules and its records.",
    missing: "This task does not exist any more.",
    list: "Task list"
  },
  deleteTask: {
    action: "Delete task",
    title: "Delete this task?",
    text: (title: string) =>
      `“${title}” stops, and its saved delivery records go with it. Messages that the Session already has stay.`,
    done: "Task deleted",
    gone: "The task was deleted already"
  },
  deleteInactive: {
    action: (count: number) => `Delete ${plural(count, "inactive task")}`,
    title: (count: number) => `Delete ${plural(count, "inactive task")}?`,
    text: "Ended tasks of all Sessions and their saved delivery records are removed. Active tasks are not touched.",
    done: (count: number) => `${plural(count, "inactive task")} deleted`
  },
  detail: { rules: "Rules", records: "Records", tabs: "Task" },
  editor: {
    name: "Name",
    prompt: "Instruction",
    promptHint: "What the reminder says to the agent.",
    session: "Session",
    sessionHint: "The agent conversation that is reminded.",
    existingSession: "Existing",
    sessionId: "Session id",
    sessionNone: "No Session matches",
    newSession: "New Session",
    newSessionName: "Name of the new Session",
    timing: "Timing",
    kinds: { after: "In a while", at: "Once", every: "Interval", daily: "Daily", weekly: "Weekly", cron: "Cron" },
    amount: { after: "Once, after", every: "Every" },
    unit: "Unit",
    units: { seconds: "seconds", minutes: "minutes", hours: "hours", days: "days" },
    date: "Date",
    time: "Time",
    zone: "Time zone",
    zoneSearch: "Search a city, a zone or an offset",
    zoneNone: "No zone matches",
    weekdays: "Days of the week",
    expression: "Cron expression",
    expressionHint: "minute, hour, day of month, month, day of week",
    canonical: "Stored as",
    next: "Next runs",
    nextNone: "The next runs appear here once the timing is complete.",
    readOnly: "This task has ended. Its rules can be read but not changed.",
    create: "Create task",
    creating: "Creating…",
    created: "Task created",
    required: "Choose a Session."
  },
  draft: {
    bar: "Unsaved changes",
    saved: "Saved",
    invalid: "Correct the marked fields to save.",
    conflict: "This task changed on the Host since you began.",
    changed: (fields: ReadonlyArray<string>) => `Changed there: ${fields.join(", ")}.`,
    keep: "Keep my changes",
    ended: "This task ended while you were editing, so your changes cannot be saved.",
    gone: "This task was deleted while you were editing.",
    again: "Create as a new task",
    discard: "Discard changes",
    fields: { title: "name", prompt: "instruction", timing: "timing", scheduledAt: "next run" }
  },
  records: {
    empty: "Nothing was delivered yet",
    emptyHint: "Every delivery of this task is recorded here.",
    occurrence: "Due",
    delivered: "Delivered",
    late: (delay: string) => `${delay} late`,
    message: "Message",
    noPrompt: "What was sent was not recorded.",
    older: "Load older",
    pruned: (days: number, records: number) =>
      `Older records were removed. The Host keeps ${plural(days, "day")} and at most ${plural(records, "record")} of each task.`,
    unavailable: "Earlier deliveries were not recorded.",
    kept: (days: number, records: number) =>
      `The Host keeps ${plural(days, "day")} and at most ${plural(records, "record")} of each task.`
  },
  sessions: {
    title: "Sessions",
    list: "Session list",
    search: "Search Sessions",
    empty: "No Sessions yet",
    emptyHint: "A Session is one conversation of an agent. Tasks remind it.",
    pick: "Choose a Session to read its transcript.",
    missing: "This Session does not exist here.",
    new: "New Session",
    name: "Name",
    created: "Session created",
    untitled: "Untitled Session",
    archived: "Archived",
    child: "Delegated child",
    waiting: (count: number) => `${plural(count, "message")} waiting`,
    tasks: (count: number) => plural(count, "active task"),
    noTasks: "No active tasks",
    transcript: "Transcript",
    noEvents: "Nothing was said in this Session yet.",
    older: "Load older",
    rename: "Rename",
    renamed: "Session renamed",
    archive: "Archive",
    unarchive: "Unarchive",
    archivedDone: "Session archived",
    unarchivedDone: "Session taken back from the archive; stopped reminders stay stopped",
    refused: "This Session is still active",
    refusedText: "It was not archived, because these would go on in it:",
    families: { schedule: "Reminders", "session-local": "This Session's own reminders", agent: "Agent" } as Record<
      string,
      string
    >,
    stop: "Stop and archive",
    stopHint: "Stopping deletes these reminders; unarchiving does not bring them back.",
    unreadable: (count: number) => `${plural(count, "Session")} cannot be read`,
    events: {
      user: "User",
      schedule: "Reminder",
      assistant: "Agent",
      failed: "Turn failed",
      consumed: (count: number) => `${plural(count, "message")} taken from the inbox`,
      renamed: (title: string) => `Renamed to “${title}”`,
      archived: "Archived",
      unarchived: "Taken back from the archive",
      truncated: "The answer was longer; this is its beginning."
    }
  },
  timeline: {
    title: "Timeline",
    range: "Range",
    ranges: { day: "24 hours", week: "7 days" },
    empty: "Nothing is due in this time",
    emptyHint: "Choose a longer range, or create a task.",
    lane: (count: number, more: boolean) => (more ? `more than ${plural(count, "run")}` : plural(count, "run")),
    first: (when: string) => `first ${when}`,
    list: "Timeline of tasks",
    zone: (zone: string) => `Times in ${zone}`,
    shown: (count: number) => `${plural(count, "task")} due`
  },
  time: { yours: "your time" },
  weekdays: {
    long: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    short: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  },
  shortcuts: {
    items: [
      ["/", "Search"],
      ["n", "New task"],
      ["↑ ↓", "Move in a list"],
      ["Ctrl S", "Save changes"],
      ["Esc", "Close a dialog, clear the search"]
    ] as ReadonlyArray<readonly [string, string]>
  }
}

export type Texts = typeof english
