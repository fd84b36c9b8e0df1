/**
 * The refusals of the domain and the failures of the Host, as people read them. The domain decides and words for programs, by
 * the names of its protocol; here are the words of the page. A text without a row is shown as it is.
 */

type Words = (...groups: ReadonlyArray<string>) => string

/** What the domain or the Host says, and how the page says it. */
export const refusals: ReadonlyArray<{ readonly says: RegExp; readonly en: Words; readonly zh: Words }> = [
  {
    says: /^title must be a text of 1 to (\d+)/,
    en: (max) => `Give it a name of at most ${max} characters.`,
    zh: (max) => `请填写名称，最多 ${max} 个字符。`
  },
  { says: /^prompt must be/, en: () => "Write what the reminder says.", zh: () => "请填写提醒的内容。" },
  {
    says: /^after_seconds must be/,
    en: () => "Write a time of at least one second, in whole seconds.",
    zh: () => "请填写至少一秒的时间，精确到整秒。"
  },
  {
    says: /^every_seconds must be/,
    en: () => "The shortest interval is 60 seconds, in whole seconds.",
    zh: () => "最短间隔为 60 秒，并且必须是整秒。"
  },
  {
    says: /^at\.date must be/,
    en: () => "Choose a date that exists, in the years 0001 to 9999.",
    zh: () => "请选择存在的日期，年份在 0001 到 9999 之间。"
  },
  {
    says: /^(?:at|daily|weekly)\.time must be/,
    en: () => "Write a time from 00:00:00 to 23:59:59.",
    zh: () => "请填写 00:00:00 到 23:59:59 之间的时间。"
  },
  {
    says: /^(?:at|daily|weekly|cron)\.time_zone must be/,
    en: () => "Choose UTC or a time zone such as Europe/Paris.",
    zh: () => "请选择 UTC 或时区，例如 Europe/Paris。"
  },
  {
    says: /^weekly\.weekdays must/,
    en: () => "Choose at least one day of the week.",
    zh: () => "请至少选择星期中的一天。"
  },
  {
    says: /clocks in (\S+) skip (\S+) (\S+)/,
    en: (zone, date, time) => `This time does not exist: clocks in ${zone} skip ${short(time)} on ${date}.`,
    zh: (zone, date, time) => `这个时间不存在：${zone} 的时钟在 ${date} 跳过了 ${short(time)}。`
  },
  { says: /^at must be later than now/, en: () => "Choose a time in the future.", zh: () => "请选择将来的时间。" },
  {
    says: /^(?:the rule has no occurrence|at must be an instant in the UTC years)/,
    en: () => "This never comes before the end of the year 9999.",
    zh: () => "在 9999 年结束之前，这个时间不会到来。"
  },
  {
    says: /^cron expression must have five fields/,
    en: () => "Write five fields: minute, hour, day of month, month, day of week.",
    zh: () => "请填写五个字段：分钟、小时、日、月、星期。"
  },
  {
    says: /^cron (\S+) (".*") is not one of (.+)$/,
    en: (field, text, forms) => `${capital(spoken(field))}: ${text} is not one of ${forms}.`,
    zh: (field, text, forms) => `${zhField(field)}：${text} 不是 ${forms} 之一。`
  },
  {
    says: /^cron (\S+) (".*") is out of range: use (\S+)$/,
    en: (field, text, range) => `${capital(spoken(field))}: ${text} is out of range, use ${range}.`,
    zh: (field, text, range) => `${zhField(field)}：${text} 超出范围，请使用 ${range}。`
  },
  {
    says: /^cron (\S+) (".*") ends before it begins/,
    en: (field, text) => `${capital(spoken(field))}: ${text} ends before it begins.`,
    zh: (field, text) => `${zhField(field)}：${text} 的结束早于开始。`
  },
  {
    says: /^cron (\S+) (".*") has a step of zero/,
    en: (field, text) => `${capital(spoken(field))}: ${text} has a step of zero, use 1 or more.`,
    zh: (field, text) => `${zhField(field)}：${text} 的步长为零，请使用 1 或更大的数。`
  },
  {
    says: /^The Host does not answer/,
    en: () => "The Host does not answer.",
    zh: () => "主机没有响应。"
  },
  {
    says: /^No Host of the cluster serves this Session/,
    en: () => "No Host serves this Session just now, and nothing was changed; try again.",
    zh: () => "目前没有主机服务此会话，没有任何更改；请重试。"
  },
  {
    says: /^The Host that serves this Session did not answer/,
    en: () =>
      "The Host that serves this Session did not answer; look whether the change was made before you try again.",
    zh: () => "服务此会话的主机没有响应；请先查看更改是否已生效，再决定是否重试。"
  },
  {
    says: /^The call is too long/,
    en: () => "This is too long; a Host reads 1 MiB at most.",
    zh: () => "内容过长；主机最多读取 1 MiB。"
  },
  {
    says: /^The Host is shutting down/,
    en: () => "The Host is shutting down; try again when it is back.",
    zh: () => "主机正在关闭；恢复后请重试。"
  },
  {
    says: /^The Host refuses this token/,
    en: () => "The Host no longer accepts this sign-in.",
    zh: () => "主机不再接受此登录。"
  },
  {
    says: /^The schedule store failed and nothing was changed/,
    en: () => "The store failed and nothing was changed; try again.",
    zh: () => "存储出错，没有任何更改；请重试。"
  },
  {
    says: /^The schedule store /,
    en: () => "The store refuses work until the Host reopens it; restart the Host.",
    zh: () => "在主机重新打开存储之前，存储拒绝工作；请重启主机。"
  },
  {
    says: /^The Session's log cannot be read/,
    en: () => "The Session's log cannot be read or written; the Host's log says why.",
    zh: () => "会话日志无法读取或写入；原因见主机日志。"
  },
  {
    says: /^The schedule operation failed/,
    en: () => "Something went wrong on the Host; its log says what.",
    zh: () => "主机上出现错误；详情见主机日志。"
  },
  {
    says: /^[Tt]here is no Session (".*")/,
    en: (id) => `There is no Session ${id}.`,
    zh: (id) => `没有会话 ${id}。`
  },
  {
    says: /^Session (".*") is archived/,
    en: (id) => `Session ${id} is archived; take it back from the archive first.`,
    zh: (id) => `会话 ${id} 已归档；请先取消归档。`
  }
]

/** The words for the ones that are told apart by their code alone. */
export const byCode: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  subagent_session: {
    en: "This Session belongs to a delegated agent, which cannot be reminded.",
    zh: "此会话属于被委派的智能体，无法提醒。"
  },
  session_not_found: { en: "This Session does not exist.", zh: "此会话不存在。" },
  session_exists: { en: "There is a Session with this id already.", zh: "已有使用此标识的会话。" },
  session_archived: { en: "This Session is archived.", zh: "此会话已归档。" },
  session_active: { en: "This Session is still active.", zh: "此会话仍在活动。" },
  session_corrupt: {
    en: "This Session's log is damaged; the Host's log says where.",
    zh: "此会话的日志已损坏；位置见主机日志。"
  },
  invalid_session: { en: "This is no name or id for a Session.", zh: "这不是有效的会话名称或标识。" },
  schedule_not_found: { en: "The task was deleted.", zh: "任务已被删除。" },
  schedule_ended: { en: "The task has ended.", zh: "任务已结束。" },
  schedule_conflict: { en: "The task was changed meanwhile.", zh: "任务在此期间发生了变化。" }
}

// -----------------------------------------------------------------------------
// internal
// -----------------------------------------------------------------------------

const short = (time: string): string => time.replace(/(?::00)?(?:\.000)?$/, "")

const spoken = (field: string): string => field.replaceAll("-", " ")

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const zhField = (field: string): string =>
  ({ minute: "分钟", hour: "小时", "day-of-month": "日", month: "月", "day-of-week": "星期" })[field] ?? field
