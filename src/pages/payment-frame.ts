// The layout of the payment page, and the payment details that every state shows.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { amountText, namesCurrency } from '../primitives/money.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { timeText } from '../primitives/time.ts'
import { type Localization, languages } from '../translations/localization.ts'
import { mark } from './mark.ts'
import { paymentScript, paymentStyle } from './payment-assets.ts'
import { accentStyle, type PaymentBrand, who } from './payment-brand.ts'
import { backSign } from './payment-drawings.ts'
import type { PaymentFacts, PaymentState } from './payment-view.ts'

interface Frame {
  localization: Localization
  title: string
  state: PaymentState | 'link' | 'link_end'
  sandbox: boolean
  /** Prefix of the page's asset URLs. See PageFacts. */
  base_path: string
  /** The page polls this URL until its state changes. */
  refresh_url?: string | undefined
  /** Base path of the language links. Omitted when the link matches no payment request. */
  page_path?: string
  /** Omitted when the link matches no payment request. */
  accent?: PaymentBrand['accent']
  columns: 1 | 2
  content: Part
}

export function frame(options: Frame): string {
  const { localization, title, state, sandbox, base_path, refresh_url, page_path, columns } =
    options
  const { payment_page: translations, labels, lang } = localization
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
${accentStyle(options.accent ?? null)}
<script type="module" src="${base_path}${paymentScript.url}"></script>
${refresh_url !== undefined && noScriptRefresh(refresh_url)}
</head>
<body data-state="${state}"${refresh_url !== undefined && html` data-refresh="${refresh_url}"`}>
${sandbox && html`<header class="band">${labels.sandbox}</header>`}
<main${columns === 1 && html` class="single"`}>
${options.content}
</main>
<footer class="foot"><span class="by">${mark(20)}<span>${translations.payments_by}</span></span>
${page_path !== undefined && languageLinks(page_path, localization)}</footer>
</body>
</html>
`.text
}

/** Plain links instead of a cookie: the page stores nothing about the reader. */
function languageLinks(path: string, { lang, payment_page }: Localization): Markup {
  const links = Object.entries(languages).map(([one, { name }]) => {
    const href = `${path}?lang=${one}`
    if (one === lang) return html`<span lang="${one}" aria-current="true">${name}</span>`
    return html`<a href="${href}" lang="${one}" hreflang="${one}">${name}</a>`
  })
  return html`<nav class="languages" aria-label="${payment_page.language}">
${links}</nav>`
}

// Only without scripts. With scripts, the page polls in the background and does not flicker.
function noScriptRefresh(url: string): Markup {
  const content = `3; url=${url}`
  return html`<noscript><meta http-equiv="refresh" content="${content}"></noscript>`
}

export function amountOf(facts: PaymentFacts, { locale }: Localization): string {
  return amountText(facts.amount, facts.currency, locale)
}

/** The left column: payee, amount and payment details. */
export function summary(facts: PaymentFacts, localization: Localization, more: Summary): Markup {
  const { account_name, reference, customer_email, message, brand } = facts
  const { payment_page: translations, labels } = localization
  return html`<section class="summary${more.muted && ' muted'}">
${more.pay_by !== undefined && backLink(facts, localization)}
${who(account_name, brand)}
<h1><span class="label">${more.label}</span> ${amount(facts, localization)}</h1>
<dl class="facts">
${reference !== null && fact(labels.reference, reference)}
${customer_email !== null && fact(translations.customer, customer_email)}
${more.pay_by !== undefined && factOf(labels.pay_by, more.pay_by)}
${more.statement_name && fact(translations.statement_name, more.statement_name)}
</dl>
${message !== null && messageOf(message, labels.message)}
</section>`
}

/** The style sheet keeps line breaks. */
function messageOf(message: string, label: string): Markup {
  return html`<div class="message"><p class="label">${label}</p>
<p dir="auto">${stripBidiControls(message)}</p></div>`
}

interface Summary {
  /** The label above the amount. */
  label: string
  /** Only while the request can be paid. */
  pay_by?: Markup | undefined
  /** Only where a card is charged: a transfer shows the name of its sender. */
  statement_name?: string | null
  /** The amount is no longer due. */
  muted?: boolean
}

/** `dir="auto"` isolates user-supplied text, so its direction does not affect the page. */
export function fact(name: string, value: string, forced_kind?: 'number'): Markup {
  const text = stripBidiControls(value)
  const kind = forced_kind ?? (text.length > inline_max && 'long')
  return html`<div${kind && html` class="${kind}"`}><dt>${name}</dt>
<dd dir="auto">${text}</dd></div>`
}

/** A fact that contains markup. Its text is short. */
export function factOf(name: string, value: Markup): Markup {
  return html`<div><dt>${name}</dt>
<dd dir="auto">${value}</dd></div>`
}

/**
 * A time in the account's time zone. The script shows it in the payer's zone, which only the
 * browser knows. Both include the name of the zone.
 */
export function timeOf(
  at: string | Date,
  { locale }: Localization,
  { timezone }: { timezone: string },
): Markup {
  const text = timeText(at, locale, timezone)
  return html`<time datetime="${new Date(at).toISOString()}" data-zone="${timezone}"
 data-locale="${locale}">${text}</time>`
}

/** At the top of the summary, where readers look for a way back. */
function backLink({ account_name, back_path }: PaymentFacts, localization: Localization): Markup {
  if (back_path === null) return html``
  const text = localization.payment_page.back(isolate(account_name))
  return html`<p class="back"><a href="${back_path}">${backSign}<span>${text}</span></a></p>`
}

/** In the card of a request that has ended. It is the next step after a payment. */
export function backButton(
  { account_name, back_path }: PaymentFacts,
  { payment_page: translations }: Localization,
  kind: 'primary' | 'secondary',
): Markup {
  if (back_path === null) return html``
  return html`<a class="${kind}" id="back" href="${back_path}">${translations.back(
    isolate(account_name),
  )}</a>`
}

// Longer values go below the label instead of next to it.
const inline_max = 48

function amount(facts: PaymentFacts, localization: Localization): Markup {
  const text = amountOf(facts, localization)
  const code = namesCurrency(text, facts.currency) ? '' : facts.currency
  return html`<span class="amount ${widthOf(text)}">${text}${code && html`<small> ${code}</small>`}
</span>`
}

// On a phone, the largest amounts are twice as wide as the screen at full size.
function widthOf(text: string): string {
  if (text.length <= 10) return ''
  if (text.length <= 14) return 'wide'
  return text.length <= 18 ? 'wider' : 'widest'
}

// Keeps sentences readable. The summary shows the full name.
const name_in_sentence_max = 60

/** Wraps a name in bidi isolates (U+2068, U+2069), so it cannot reorder the sentence around it. */
export function isolate(name: string): string {
  const characters = [...stripBidiControls(name)]
  const cut = characters.length > name_in_sentence_max
  const shown = cut
    ? `${characters.slice(0, name_in_sentence_max - 1).join('')}…`
    : characters.join('')
  return `\u2068${shown}\u2069`
}
