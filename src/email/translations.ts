// What emails say, in each language. A sentence that a language lacks does not compile.

import { de } from './translations/de.ts'
import type { EmailTranslations } from './translations/email-translations.ts'
import { en } from './translations/en.ts'
import { es } from './translations/es.ts'
import { fr } from './translations/fr.ts'
import { ja } from './translations/ja.ts'
import { pt } from './translations/pt.ts'

const languages: Record<string, EmailTranslations> = { de, en, es, fr, ja, pt }

export interface Localization {
  translations: EmailTranslations
  /** For amounts and dates: the account's language and region where its translations are written so. */
  tag: string
}

/** The translations for a BCP 47 tag: `de-CH` is written in German, what nobody has written in English. */
export function localizationFor(tag: string): Localization {
  // Without what else a tag may say: calendars and digits that no reader of the translations knows.
  const { language, baseName } = new Intl.Locale(tag)
  const translations = Object.hasOwn(languages, language) ? languages[language] : undefined
  return translations === undefined
    ? { translations: en, tag: 'en' }
    : { translations, tag: baseName }
}
