// The frame of the payment page, and what every state of it shows of the request itself.

import { amountText, namesCurrency } from '../primitives/amount-text.ts'
import { html, type Markup, type Part } from '../primitives/markup.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { mark } from './mark.ts'
import { paymentScript, paymentStyle } from './payment-assets.ts'
import { type Localization, languageNames } from './payment-translations.ts'
import type { PaymentFacts, PaymentState } from './payment-view.ts'

interface Frame {
  localization: Localization
  title: string
  state: PaymentState
  sandbox: boolean
  /** Where the page's own files are: see PageFacts. */
  base_path: string
  /** The page asks for this address again until its state has changed. */
  ask_again?: string | undefined
  /** Where the page is read in other languages; none for what is known of nobody. */
  page_path?: string
  columns: 1 | 2
  content: Part
}

export function frame(given: Frame): string {
  const { localization, title, state, sandbox, base_path, ask_again, page_path, columns } = given
  const { translations, lang } = localization
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="${base_path}/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${base_path}${paymentStyle.url}">
<script type="module" src="${base_path}${paymentScript.url}"></script>
${ask_again !== undefined && withoutScript(ask_again)}
</head>
<body data-state="${state}"${ask_again !== undefined && html` data-ask="${ask_again}"`}>
${sandbox && html`<header class="band">${translations.sandbox_band}</header>`}
<main${columns === 1 && html` class="single"`}>
${given.content}
</main>
<footer class="foot"><span class="by">${mark(20)}<span>${translations.payments_by}</span></span>
${page_path !== undefined && languages(page_path, localization)}</footer>
</body>
</html>
`.text
}

/** Plain links, so that nothing is kept of who reads what. */
function languages(path: string, { lang, translations }: Localization): Markup {
  const ways = Object.entries(languageNames).map(([one, name]) => {
    const href = `${path}?lang=${one}`
    if (one === lang) return html`<span lang="${one}" aria-current="true">${name}</span>`
    return html`<a href="${href}" lang="${one}" hreflang="${one}">${name}</a>`
  })
  return html`<nav class="languages" aria-label="${translations.language}">
${ways}</nav>`
}

// Whoever has scripts gets no refresh: the script asks in the background, and nothing flickers.
function withoutScript(url: string): Markup {
  const content = `3; url=${url}`
  return html`<noscript><meta http-equiv="refresh" content="${content}"></noscript>`
}

export function amountOf(facts: PaymentFacts, { locale }: Localization): string {
  return amountText(facts.amount, facts.currency, locale)
}

/** The left column: who asks for how much, and what for. */
export function summary(facts: PaymentFacts, localization: Localization, more: Summary): Markup {
  const { account_name, reference, customer_email } = facts
  const { translations } = localization
  return html`<section class="summary${more.muted && ' muted'}">
${who(account_name)}
<h1><span class="label">${more.label}</span> ${amount(facts, localization)}</h1>
<dl class="facts">
${reference !== null && fact(translations.reference, reference)}
${customer_email !== null && fact(translations.customer, customer_email)}
${more.pay_by !== undefined && fact(translations.pay_by, more.pay_by)}
</dl>
</section>`
}

interface Summary {
  /** Over the amount: what it is. */
  label: string
  pay_by?: string | undefined
  /** The amount is not asked for any more. */
  muted?: boolean
}

/** What others wrote goes its own way, from left or from right, and pulls nothing with it. */
export function fact(name: string, value: string, given_kind?: 'number'): Markup {
  const text = stripBidiControls(value)
  const kind = given_kind ?? (text.length > beside_max && 'long')
  return html`<div${kind && html` class="${kind}"`}><dt>${name}</dt>
<dd dir="auto">${text}</dd></div>`
}

// Longer than this, a value stands under its name instead of beside it.
const beside_max = 48

function who(name: string): Markup {
  const initial = initialOf(name)
  const sign = initial ? html`<span class="initial" aria-hidden="true">${initial}</span>` : mark(40)
  return html`<p class="who">${sign}<bdi>${stripBidiControls(name)}</bdi></p>`
}

function initialOf(name: string): string | undefined {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase()
}

function amount(facts: PaymentFacts, localization: Localization): Markup {
  const text = amountOf(facts, localization)
  const code = namesCurrency(text, facts.currency) ? '' : facts.currency
  return html`<span class="amount ${widthOf(text)}">${text}${code && html`<small> ${code}</small>`}
</span>`
}

// The largest amounts have twice as many characters as fit a phone at full size.
function widthOf(text: string): string {
  if (text.length <= 10) return ''
  if (text.length <= 14) return 'wide'
  return text.length <= 18 ? 'wider' : 'widest'
}

// A sentence must stay one. The whole name stands at the head of the page.
const name_in_sentence_max = 60

/** For a name inside a sentence of ours: isolated, so that its direction stays its own. */
export function isolate(name: string): string {
  const letters = [...stripBidiControls(name)]
  const cut = letters.length > name_in_sentence_max
  const shown = cut ? `${letters.slice(0, name_in_sentence_max - 1).join('')}…` : letters.join('')
  return `\u2068${shown}\u2069`
}
