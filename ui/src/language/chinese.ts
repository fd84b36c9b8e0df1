import type { Texts } from "./english.ts"

const count = (value: number) => value.toLocaleString("zh-CN")

/** The page's texts in Chinese. */
export const chinese: Texts = {
  code: "zh-CN",
  name: "中文",
  nav: { label: "主导航", tasks: "任务", timeline: "时间线", sessions: "会话", skip: "跳到内容" },
  settings: { language: "语言", theme: "主题", themes: { system: "跟随系统", light: "浅色", dark: "深色" } },
  connection: {
    Connecting: "正在连接",
    Live: "已连接",
    Lost: "离线",
    lost: "主机没有响应。当前显示的是之前读取的内容；主机恢复后会自动重新读取。",
    signedOut: "主机不再接受此浏览器的登录。请在终端运行 host-schedule url，并打开它输出的链接。"
  },
  broken: {
    title: "页面的这一部分出现了错误",
    hint: "这是页面本身的问题，主机保存的内容不受影响。",
    reload: "重新加载页面"
  },
  reading: {
    loading: "正在加载…",
    failed: "无法读取",
    stale: "无法重新读取；当前显示的是较早的内容",
    retry: "重试"
  },
  actions: {
    cancel: "取消",
    save: "保存",
    saving: "正在保存…",
    close: "关闭",
    delete: "删除",
    more: "显示全部",
    less: "收起"
  },
  tasks: {
    title: "任务",
    new: "新建任务",
    search: "搜索标题、指令或会话",
    filter: "状态",
    filters: { all: "全部", active: "启用", inactive: "已结束" },
    shown: (shown, all) => (shown === all ? `${count(all)} 个任务` : `${count(all)} 个任务中的 ${count(shown)} 个`),
    status: { scheduled: "已安排", overdue: "已到期", inactive: "已结束" },
    next: "下次运行",
    last: "上次投递",
    never: "尚无",
    session: "会话",
    draft: "未保存的更改",
    empty: "还没有任务",
    emptyHint: "任务会在你选定的时间提醒智能体会话。",
    none: "没有匹配的任务",
    noneHint: "请修改搜索或筛选条件。",
    clear: "清除搜索和筛选",
    pick: "选择一个任务，查看它的规则和记录。",
    missing: "此任务已不存在。",
    list: "任务列表"
  },
  deleteTask: {
    action: "删除任务",
    title: "删除此任务？",
    text: (title) => `“${title}”将停止，保存的投递记录也会一并删除。会话已经收到的消息会保留。`,
    done: "任务已删除",
    gone: "任务此前已被删除"
  },
  deleteInactive: {
    action: (n) => `删除 ${count(n)} 个已结束的任务`,
    title: (n) => `删除 ${count(n)} 个已结束的任务？`,
    text: "所有会话中已结束的任务及其投递记录都会被删除。启用中的任务不受影响。",
    done: (n) => `已删除 ${count(n)} 个已结束的任务`
  },
  detail: { rules: "规则", records: "记录", tabs: "任务详情" },
  editor: {
    name: "名称",
    prompt: "指令",
    promptHint: "提醒时对智能体说的话。",
    session: "会话",
    sessionHint: "要提醒的智能体对话。",
    existingSession: "现有会话",
    sessionId: "会话标识",
    sessionNone: "没有匹配的会话",
    newSession: "新会话",
    newSessionName: "新会话的名称",
    timing: "时间安排",
    kinds: { after: "一段时间后", at: "一次", every: "固定间隔", daily: "每天", weekly: "每周", cron: "Cron" },
    amount: { after: "一次，在此之后", every: "每隔" },
    unit: "单位",
    units: { seconds: "秒", minutes: "分钟", hours: "小时", days: "天" },
    date: "日期",
    time: "时间",
    zone: "时区",
    zoneSearch: "搜索城市、时区或偏移",
    zoneNone: "没有匹配的时区",
    weekdays: "星期",
    expression: "Cron 表达式",
    expressionHint: "分钟、小时、日、月、星期",
    canonical: "存储为",
    next: "接下来的运行",
    nextNone: "时间安排填写完整后，这里会显示接下来的运行。",
    readOnly: "此任务已结束，规则只能查看，不能修改。",
    create: "创建任务",
    creating: "正在创建…",
    created: "任务已创建",
    required: "请选择会话。"
  },
  draft: {
    bar: "有未保存的更改",
    saved: "已保存",
    invalid: "请先更正标出的字段，再保存。",
    conflict: "在你编辑期间，此任务在主机上发生了变化。",
    changed: (fields) => `变化的内容：${fields.join("、")}。`,
    keep: "保留我的更改",
    ended: "此任务在你编辑期间已结束，无法保存更改。",
    gone: "此任务在你编辑期间被删除。",
    again: "另存为新任务",
    discard: "放弃更改",
    fields: { title: "名称", prompt: "指令", timing: "时间安排", scheduledAt: "下次运行" }
  },
  records: {
    empty: "尚未投递过",
    emptyHint: "此任务的每次投递都会记录在这里。",
    occurrence: "到期",
    delivered: "投递",
    late: (delay) => `晚 ${delay}`,
    message: "消息",
    noPrompt: "没有记录发送的内容。",
    older: "加载更早的记录",
    pruned: (days, records) =>
      `较早的记录已被清理。主机为每个任务保留 ${count(days)} 天，最多 ${count(records)} 条记录。`,
    unavailable: "更早的投递没有记录。",
    kept: (days, records) => `主机为每个任务保留 ${count(days)} 天，最多 ${count(records)} 条记录。`
  },
  sessions: {
    title: "会话",
    list: "会话列表",
    search: "搜索会话",
    empty: "还没有会话",
    emptyHint: "会话是智能体的一次对话，任务会提醒它。",
    pick: "选择一个会话，阅读它的对话记录。",
    missing: "这里没有此会话。",
    new: "新建会话",
    name: "名称",
    created: "会话已创建",
    untitled: "未命名会话",
    archived: "已归档",
    child: "委派的子会话",
    waiting: (n) => `${count(n)} 条消息等待处理`,
    tasks: (n) => `${count(n)} 个启用的任务`,
    noTasks: "没有启用的任务",
    transcript: "对话记录",
    noEvents: "此会话还没有内容。",
    older: "加载更早的内容",
    rename: "重命名",
    renamed: "会话已重命名",
    archive: "归档",
    unarchive: "取消归档",
    archivedDone: "会话已归档",
    unarchivedDone: "会话已取消归档；已停止的提醒不会恢复",
    refused: "此会话仍在活动",
    refusedText: "没有归档，因为以下内容仍会在其中继续：",
    families: { schedule: "提醒", "session-local": "会话自带的提醒", agent: "智能体" },
    stop: "停止并归档",
    stopHint: "停止会删除这些提醒；取消归档也不会恢复它们。",
    unreadable: (n) => `${count(n)} 个会话无法读取`,
    events: {
      user: "用户",
      schedule: "提醒",
      assistant: "智能体",
      failed: "运行失败",
      consumed: (n) => `从收件箱取出 ${count(n)} 条消息`,
      renamed: (title) => `重命名为“${title}”`,
      archived: "已归档",
      unarchived: "已取消归档",
      truncated: "回答更长，这里只是开头。"
    }
  },
  timeline: {
    title: "时间线",
    range: "范围",
    ranges: { day: "24 小时", week: "7 天" },
    empty: "这段时间内没有到期的任务",
    emptyHint: "请选择更长的范围，或新建任务。",
    lane: (n, more) => (more ? `超过 ${count(n)} 次` : `${count(n)} 次`),
    first: (when) => `首次${when}`,
    list: "任务时间线",
    zone: (zone) => `时间按 ${zone} 显示`,
    shown: (n) => `${count(n)} 个任务到期`
  },
  time: { yours: "你的时间" },
  weekdays: {
    long: ["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"],
    short: ["一", "二", "三", "四", "五", "六", "日"]
  },
  shortcuts: {
    items: [
      ["/", "搜索"],
      ["n", "新建任务"],
      ["↑ ↓", "在列表中移动"],
      ["Ctrl S", "保存更改"],
      ["Esc", "关闭对话框，清除搜索"]
    ]
  }
}
