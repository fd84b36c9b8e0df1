/** A rule as a sentence in the page's language, with the times of one-shots in the zone of whoever reads it. */
import { describe } from "../../../src/domain/Describe.ts"
import * as Instant from "../../../src/domain/Instant.ts"
import { isOneShot, type ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import * as chineseRule from "../language/chineseRule.ts"
import { type Language, useLanguage, useLocale } from "../language/Language.ts"
import * as Format from "../time/Format.ts"

export const sentence = (record: ScheduleRecord, language: Language, locale: string): string => {
  if (!isOneShot(record)) return language === "zh" ? chineseRule.describe(record) : describe(record)
  const when = Format.absolute(Instant.toMillis(record.scheduledAt), Format.viewerZone, locale)
  return language === "zh" ? `一次，${when}` : `Once, ${when}`
}

export const useSentence = () => {
  const language = useLanguage()
  const locale = useLocale()
  return (record: ScheduleRecord) => sentence(record, language, locale)
}
