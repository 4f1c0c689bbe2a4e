// Translations of the page that confirms a new email address, in the languages of the payment page.
// A missing language does not compile.

import { de } from './confirm-email-translations/de.ts'
import { en } from './confirm-email-translations/en.ts'
import { es } from './confirm-email-translations/es.ts'
import { fr } from './confirm-email-translations/fr.ts'
import { ja } from './confirm-email-translations/ja.ts'
import { pt } from './confirm-email-translations/pt.ts'
import type { Localization } from './payment-translations.ts'

export const confirmEmailTranslations: Record<Localization['lang'], typeof en> = {
  en,
  de,
  es,
  fr,
  ja,
  pt,
}
