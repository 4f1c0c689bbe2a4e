// The sentences of the payment page, in each language that has them. A language is one file; a
// sentence that is missing there does not compile.

import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import type { PaymentWords } from './words/payment-words-shape.ts'
import { pt } from './words/pt.ts'

export const paymentWords = { en, de, es, fr, ja, pt } satisfies Record<string, PaymentWords>

export interface Tongue {
  words: PaymentWords
  /** For `<html lang>`: the language of the words, not the one that was asked for. */
  lang: keyof typeof paymentWords
  /** For amounts and dates: with the region that was asked for, when its language is spoken. */
  locale: string
}

/** The words for a BCP 47 tag. A language that nobody has written yet is answered in English. */
export function chooseTongue(tag: string | undefined): Tongue {
  const locale = findLocale(tag)
  const lang = locale?.language
  if (lang === undefined || !isSpoken(lang)) return english
  return { words: paymentWords[lang], lang, locale: locale!.baseName }
}

const english: Tongue = { words: en, lang: 'en', locale: 'en' }

function findLocale(tag: string | undefined): Intl.Locale | undefined {
  try {
    return tag === undefined ? undefined : new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isSpoken(lang: string): lang is keyof typeof paymentWords {
  return Object.hasOwn(paymentWords, lang)
}
