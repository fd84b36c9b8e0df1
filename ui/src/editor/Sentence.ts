/** A rule as a sentence in the page's language, with the times of one-shots in the zone of whoever reads it. */
import { describe } from "../../../src/domain/Describe.ts"
import * as Instant from "../../../src/domain/Instant.ts"
import { isOneShot, type ScheduleRecord } from "../../../src/domain/ScheduleRecord.ts"
import { type Language, localeOf, useLanguage } from "../language/Language.ts"
import * as Format from "../time/Format.ts"

export const sentence = (record: ScheduleRecord, language: Language): string => {
  if (isOneShot(record)) {
    const when = Format.absolute(Instant.toMillis(record.scheduledAt), Format.viewerZone, localeOf(language))
    return language === "zh" ? `一次，${when}` : `Once, ${when}`
  }
  return describe(record, "en")
}

export const useSentence = () => {
  const language = useLanguage()
  return (record: ScheduleRecord) => sentence(record, language)
}
