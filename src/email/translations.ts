// What emails say, in each language. A sentence that a language lacks does not compile.

import { de } from './translations/de.ts'
import { en } from './translations/en.ts'
import { es } from './translations/es.ts'
import { fr } from './translations/fr.ts'
import { ja } from './translations/ja.ts'
import { pt } from './translations/pt.ts'
import type { Words } from './translations/email-translations.ts'

const languages: Record<string, Words> = { de, en, es, fr, ja, pt }

export interface Speech {
  words: Words
  /** For amounts and dates: the account's language and region where its words are written so. */
  tag: string
}

/** The words for a BCP 47 tag: `de-CH` is written in German, what nobody has written in English. */
export function speechFor(tag: string): Speech {
  // Without what else a tag may say: calendars and digits that no reader of the words knows.
  const { language, baseName } = new Intl.Locale(tag)
  const words = Object.hasOwn(languages, language) ? languages[language] : undefined
  return words === undefined ? { words: en, tag: 'en' } : { words, tag: baseName }
}
