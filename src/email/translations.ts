// Email translations, one file per language. A missing text does not compile.

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
  /** For amounts and dates: the account's language and region, or `en` for the fallback. */
  tag: string
}

/** The translations for a BCP 47 tag: `de-CH` uses German. Unsupported languages use English. */
export function localizationFor(tag: string): Localization {
  // `baseName` drops calendar and digit extensions, which would not match the translated text.
  const { language, baseName } = new Intl.Locale(tag)
  const translations = Object.hasOwn(languages, language) ? languages[language] : undefined
  return translations === undefined
    ? { translations: en, tag: 'en' }
    : { translations, tag: baseName }
}
