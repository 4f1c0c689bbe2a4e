// The sentences of the payment page, in each language that has them. A language is one file; a
// sentence that is missing there does not compile.

import { de } from './payment-translations/de.ts'
import { en } from './payment-translations/en.ts'
import { es } from './payment-translations/es.ts'
import { fr } from './payment-translations/fr.ts'
import { ja } from './payment-translations/ja.ts'
import type { PaymentTranslations } from './payment-translations/payment-translations-shape.ts'
import { pt } from './payment-translations/pt.ts'

export const paymentTranslations = { en, de, es, fr, ja, pt } satisfies Record<
  string,
  PaymentTranslations
>

export type Language = keyof typeof paymentTranslations

/** As their readers call them: whoever looks for one may read no other. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  pt: 'Português',
}

export interface Localization {
  translations: PaymentTranslations
  /** For `<html lang>`: the language of the translations, not the one that was asked for. */
  lang: Language
  /** For amounts and dates: with the region that was asked for, when its language is spoken. */
  locale: string
}

/** The translations for a BCP 47 tag. A language that nobody has written yet is answered in English. */
export function chooseLocalization(tag: string | undefined): Localization {
  if (tag === undefined) return english
  const known = localizations.get(tag)
  if (known !== undefined) return known
  const localization = findLocalization(tag)
  if (localizations.size >= localizations_max) localizations.clear()
  localizations.set(tag, localization)
  return localization
}

// Taking a tag apart costs an eighth of a page. Tags come from callers, so the number is bounded.
const localizations = new Map<string, Localization>()
const localizations_max = 1_000

function findLocalization(tag: string): Localization {
  const locale = findLocale(tag)
  const lang = locale?.language
  if (lang === undefined || !isSpoken(lang)) return english
  return { translations: paymentTranslations[lang], lang, locale: locale!.baseName }
}

/** What the address asks for by `?lang=`. A language that is not spoken here changes nothing. */
export function languageFromQuery(query: unknown): Language | undefined {
  const { lang } = query as { lang?: unknown }
  return typeof lang === 'string' && isSpoken(lang) ? lang : undefined
}

/** The account's own tag, where it is of the chosen language: its region writes the amounts. */
export function inLanguage(tag: string, chosen: Language | undefined): string {
  return chosen === undefined || chooseLocalization(tag).lang === chosen ? tag : chosen
}

// Nobody reads more languages than fit in here, and what is longer is not looked at.
const header_length_max = 200

/**
 * For a link that leads nowhere: the first language of Accept-Language that is spoken here.
 * Browsers list them in the order of preference, so the weights say nothing more.
 */
export function preferredLanguage(accept_language: string | undefined): string | undefined {
  const tags = (accept_language ?? '').slice(0, header_length_max).split(',')
  return tags
    .map((part) => part.split(';')[0]!.trim())
    .find((tag) => isSpoken(findLocale(tag)?.language ?? ''))
}

const english: Localization = { translations: en, lang: 'en', locale: 'en' }

function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isSpoken(lang: string): lang is Language {
  return Object.hasOwn(paymentTranslations, lang)
}
