// Chooses the translations for a language tag or a request.

import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'
import type { Translations } from './translations.ts'

export const languages = { en, de, es, fr, ja, pt } satisfies Record<string, Translations>

export type Language = keyof typeof languages

export interface Localization extends Translations {
  /** For `<html lang>`: the language of the translations, not the requested one. */
  lang: Language
  /** For amounts and dates: includes the requested region if its language is supported. */
  locale: string
}

/** For a BCP 47 tag: `de-CH` uses German. Unsupported languages fall back to English. */
export function localizationFor(tag: string | undefined): Localization {
  if (tag === undefined) return english
  const known = localizations.get(tag)
  if (known !== undefined) return known
  const localization = findLocalization(tag)
  if (localizations.size >= localizations_max) localizations.clear()
  localizations.set(tag, localization)
  return localization
}

// Parsing a tag takes an eighth of the time to render a page. Clients supply tags, so the cache is
// bounded.
const localizations = new Map<string, Localization>()
const localizations_max = 1_000

function findLocalization(tag: string): Localization {
  const locale = findLocale(tag)
  const lang = locale?.language
  if (lang === undefined || !isSupported(lang)) return english
  // `baseName` drops calendar and digit extensions, which would not match the translated text.
  return { ...languages[lang], lang, locale: locale!.baseName }
}

/** The language from `?lang=`. Unsupported values are ignored. */
export function languageFromQuery(query: unknown): Language | undefined {
  const { lang } = query as { lang?: unknown }
  return typeof lang === 'string' && isSupported(lang) ? lang : undefined
}

/** Prefers the account's tag if its language matches, because its region formats the amounts. */
export function inLanguage(tag: string, chosen: string | undefined): string {
  if (chosen === undefined) return tag
  return localizationFor(tag).lang === localizationFor(chosen).lang ? tag : chosen
}

// Bounds the work for a header that clients control.
const header_length_max = 200

/**
 * The first supported language of Accept-Language. Browsers list languages in order of preference,
 * so the weights can be ignored.
 */
export function preferredLanguage(accept_language: string | undefined): string | undefined {
  const tags = (accept_language ?? '').slice(0, header_length_max).split(',')
  return tags
    .map((part) => part.split(';')[0]!.trim())
    .find((tag) => isSupported(findLocale(tag)?.language ?? ''))
}

const english: Localization = { ...en, lang: 'en', locale: 'en' }

function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isSupported(lang: string): lang is Language {
  return Object.hasOwn(languages, lang)
}
