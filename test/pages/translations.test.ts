import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentPage } from '../../src/pages/payment-page.ts'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import {
  type Language,
  languages,
  localizationFor,
  preferredLanguage,
} from '../../src/translations/localization.ts'
import { paymentViews } from '../support/payment-views.ts'

/** Every text of a language by its key, with numbered markers as parameters. */
function textsOf(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]]
  if (typeof value === 'function') return [[name, value('⟨1⟩', '⟨2⟩')]]
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${name}.${key}`))
}

/** Without the emails, which test/email/translations.test.ts renders. */
function translations() {
  const shown = (language: Language) => {
    const { labels, payment_page, confirm_email_page } = languages[language]
    return { labels, payment_page, confirm_email_page }
  }
  const english = new Map(textsOf(shown('en')))
  return (Object.keys(languages) as Language[]).map((language) => ({
    language,
    translation: shown(language),
    english,
  }))
}

test('each language translates every text', () => {
  // Texts that are the same in two languages.
  const shared = new Set(['Error', 'Date', 'MM / AA', 'Endpoint', '3-D Secure'])
  for (const { language, translation, english } of translations()) {
    const texts = textsOf(translation)
    assert.deepEqual(texts.map(([name]) => name).sort(), [...english.keys()].sort())
    for (const [name, text] of texts) {
      assert.ok(text.trim() !== '', `${language}${name} is empty`)
      const same = language !== 'en' && text === english.get(name) && !shared.has(text)
      assert.ok(!same, `${language}${name} is still English: ${text}`)
    }
  }
})

test('each translation uses the same parameters as the English text', () => {
  const marks = (text: string) => (text.match(/⟨\d⟩/g) ?? []).sort()
  for (const { language, translation, english } of translations()) {
    for (const [name, text] of textsOf(translation)) {
      assert.deepEqual(marks(text), marks(english.get(name)!), `${language}${name}`)
    }
  }
})

test('no text contains exclamation marks, "please" or "oops"', () => {
  for (const { translation } of translations()) {
    for (const [, text] of textsOf(translation))
      assert.doesNotMatch(text, /[!！¡]|\b(oops|please)\b/i)
  }
})

test('chooses the account language with its region, or English', () => {
  const cases = [
    ['de', 'de', 'de'],
    ['de-AT', 'de', 'de-AT'],
    ['PT-br', 'pt', 'pt-BR'],
    ['ja-JP-u-ca-japanese', 'ja', 'ja-JP'],
    ['pl', 'en', 'en'],
    ['zh-Hant-TW', 'en', 'en'],
    ['constructor', 'en', 'en'],
    ['not a tag', 'en', 'en'],
    [undefined, 'en', 'en'],
  ] as const
  for (const [tag, lang, locale] of cases) {
    const localization = localizationFor(tag)
    assert.deepEqual([localization.lang, localization.locale], [lang, locale])
  }
})

test('preferredLanguage picks the first supported language of Accept-Language', () => {
  const cases = [
    ['pl, de-CH;q=0.9, en;q=0.8', 'de-CH'],
    ['ja', 'ja'],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
    [`${'x'.repeat(300)}, de`, undefined],
    ['__proto__, constructor', undefined],
  ] as const
  for (const [header, tag] of cases) assert.equal(preferredLanguage(header), tag)
})

test('formats amounts and times for the language', () => {
  const cases = [
    [{ language: 'en' }, 'Pay $75.00', 'December 14, 2026 at 7:30 PM EST'],
    [{ language: 'de', currency: 'EUR' }, '75,00 € zahlen', '15. Dezember 2026 um 00:30 UTC'],
    [{ language: 'fr', currency: 'EUR' }, 'Payer 75,00 €', '15 décembre 2026 à 00:30 UTC'],
    [
      { language: 'es', currency: 'EUR' },
      'Pagar 75,00 €',
      '15 de diciembre de 2026 a las 0:30 UTC',
    ],
    [
      { language: 'pt-BR', currency: 'BRL' },
      'Pagar R$ 75,00',
      '15 de dezembro de 2026 às 00:30 UTC',
    ],
    [{ language: 'ja', currency: 'JPY' }, '￥7,500 を支払う', '2026年12月15日 0:30 UTC'],
    [{ language: 'en', currency: 'KWD' }, 'Pay KWD 7.500', 'December 15, 2026 at 12:30 AM UTC'],
  ] as const
  for (const [facts, button, time] of cases) {
    const timezone = facts.language === 'en' && !('currency' in facts) ? 'America/New_York' : 'UTC'
    const at = '2026-12-15T00:30:00.000Z'
    const view = { ...paymentViews.get('form')!, ...facts, timezone, expires_at: at } as PaymentView
    const page = paymentPage(view).replaceAll(/[\u00a0\u202f]/g, ' ')
    assert.match(page, new RegExp(`<html lang="${facts.language.slice(0, 2)}">`))
    assert.ok(page.includes(`>${button}</button>`), `${button} in ${facts.language}`)
    assert.ok(page.includes(`>${time}</time></dd>`), `${time} in ${facts.language}`)
  }
})

test('the transfer code is never labeled as the reference', () => {
  for (const [language, { labels, payment_page }] of Object.entries(languages)) {
    const { code_label, copy } = payment_page.manual
    for (const text of [code_label, copy]) {
      assert.ok(
        !text.toLowerCase().includes(labels.reference.toLowerCase()),
        `${language}: ${text}`,
      )
      assert.match(text, /c[oó]d|コード/i, language)
    }
    const { transfer } = payment_page
    assert.ok(!transfer.code.toLowerCase().includes(labels.reference.toLowerCase()), language)
  }
})
