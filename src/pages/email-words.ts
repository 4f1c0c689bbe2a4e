// The sentences of the page behind the link to a new email, in each language that the payment page
// speaks: one that is missing here does not compile.

import { de } from './email-words/de.ts'
import type { EmailWords } from './email-words/email-words-shape.ts'
import { en } from './email-words/en.ts'
import { es } from './email-words/es.ts'
import { fr } from './email-words/fr.ts'
import { ja } from './email-words/ja.ts'
import { pt } from './email-words/pt.ts'
import type { Tongue } from './payment-words.ts'

export const emailWords: Record<Tongue['lang'], EmailWords> = { en, de, es, fr, ja, pt }
