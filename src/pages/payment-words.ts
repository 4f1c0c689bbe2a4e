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

export type Language = keyof typeof paymentWords

/** As their readers call them: whoever looks for one may read no other. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  pt: 'Português',
}

export interface Tongue {
  words: PaymentWords
  /** For `<html lang>`: the language of the words, not the one that was asked for. */
  lang: Language
  /** For amounts and dates: with the region that was asked for, when its language is spoken. */
  locale: string
}

/** The words for a BCP 47 tag. A language that nobody has written yet is answered in English. */
export function chooseTongue(tag: string | undefined): Tongue {
  if (tag === undefined) return english
  const known = tongues.get(tag)
  if (known !== undefined) return known
  const tongue = findTongue(tag)
  if (tongues.size >= tongues_max) tongues.clear()
  tongues.set(tag, tongue)
  return tongue
}

// Taking a tag apart costs an eighth of a page. Tags come from callers, so the number is bounded.
const tongues = new Map<string, Tongue>()
const tongues_max = 1_000

function findTongue(tag: string): Tongue {
  const locale = findLocale(tag)
  const lang = locale?.language
  if (lang === undefined || !isSpoken(lang)) return english
  return { words: paymentWords[lang], lang, locale: locale!.baseName }
}

/** What the address asks for by `?lang=`. A language that is not spoken here changes nothing. */
export function languageChosen(query: unknown): Language | undefined {
  const { lang } = query as { lang?: unknown }
  return typeof lang === 'string' && isSpoken(lang) ? lang : undefined
}

/** The account's own tag, where it is of the chosen language: its region writes the amounts. */
export function inLanguage(tag: string, chosen: Language | undefined): string {
  return chosen === undefined || chooseTongue(tag).lang === chosen ? tag : chosen
}

// Nobody reads more languages than fit in here, and what is longer is not looked at.
const header_length_max = 200

/**
 * For a link that leads nowhere: the first language of Accept-Language that is spoken here.
 * Browsers list them in the order of preference, so the weights say nothing more.
 */
export function languageAsked(accept_language: string | undefined): string | undefined {
  const tags = (accept_language ?? '').slice(0, header_length_max).split(',')
  return tags
    .map((part) => part.split(';')[0]!.trim())
    .find((tag) => isSpoken(findLocale(tag)?.language ?? ''))
}

const english: Tongue = { words: en, lang: 'en', locale: 'en' }

function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isSpoken(lang: string): lang is Language {
  return Object.hasOwn(paymentWords, lang)
}
