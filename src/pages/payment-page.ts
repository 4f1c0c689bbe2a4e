// The hosted payment page in each of its states: a pure function of the view, with no clock and no
// I/O.

import { html, type Markup } from '../primitives/markup.ts'
import { amountText } from '../primitives/money.ts'
import { timeText } from '../primitives/time.ts'
import { type Localization, localizationFor } from '../translations/localization.ts'
import { checkoutForm, transferDetails } from './checkout-form.ts'
import { mark } from './mark.ts'
import { type StateSign, stateSign } from './payment-drawings.ts'
import { cardForm } from './payment-form.ts'
import { amountOf, fact, frame, isolate, summary } from './payment-frame.ts'
import type { PaymentFacts, PaymentState, PaymentView, ShownRefund } from './payment-view.ts'

export function paymentPage(view: PaymentView): string {
  const localization = localizationFor(view.language)
  switch (view.state) {
    case 'form':
      return formPage(view, localization)
    case 'manual':
      return manualPage(view, localization)
    case 'checkout':
      return checkoutPage(view, localization)
    case 'processing':
      return processingPage(view, localization)
    case 'paid':
    case 'already_paid':
      return receiptPage(view, localization)
    case 'not_found':
    case 'away':
      return linkErrorPage(view, localization)
    default:
      return endedPage(view, localization)
  }
}

type In<State extends PaymentState> = Extract<PaymentView, { state: State }>

function formPage(view: In<'form'>, localization: Localization): string {
  const { payment_page: translations } = localization
  const title = translations.title(amountOf(view, localization), isolate(view.account_name))
  return twoColumns(view, localization, {
    title: view.error === undefined ? title : `${translations.error}: ${title}`,
    label: translations.payment_requested,
    pay_by: timeText(view.expires_at, localization.locale, view.timezone),
    right: cardForm(view, localization),
  })
}

interface TwoColumns {
  title: string
  label: string
  pay_by?: string
  muted?: boolean
  refresh_url?: string
  right: Markup
}

function twoColumns(
  view: PaymentFacts & { state: PaymentState },
  localization: Localization,
  { title, label, pay_by, muted, refresh_url, right }: TwoColumns,
): string {
  return frame({
    localization,
    title,
    state: view.state,
    sandbox: view.sandbox,
    base_path: view.base_path,
    page_path: view.page_path,
    refresh_url,
    columns: 2,
    content: html`${summary(view, localization, { label, pay_by, muted: muted ?? false })}
${right}`,
  })
}

function manualPage(view: In<'manual'>, localization: Localization): string {
  const { payment_page: translations } = localization
  const name = isolate(view.account_name)
  return twoColumns(view, localization, {
    title: translations.title(amountOf(view, localization), name),
    label: translations.payment_requested,
    pay_by: timeText(view.expires_at, localization.locale, view.timezone),
    right: html`<section class="card" aria-labelledby="state">
<h2 id="state">${translations.manual.heading}</h2>
${transferDetails(view, name, translations)}
</section>`,
  })
}

function checkoutPage(view: In<'checkout'>, localization: Localization): string {
  const { payment_page: translations } = localization
  const name = isolate(view.account_name)
  const title = translations.title(amountOf(view, localization), name)
  return twoColumns(view, localization, {
    title: view.error === undefined ? title : `${translations.error}: ${title}`,
    label: translations.payment_requested,
    pay_by: timeText(view.expires_at, localization.locale, view.timezone),
    right: checkoutForm(view, localization),
  })
}

function processingPage(view: In<'processing'>, localization: Localization): string {
  const { payment_page: translations } = localization
  return twoColumns(view, localization, {
    title: translations.processing.heading,
    label: translations.payment_requested,
    refresh_url: view.page_url,
    right: stateCard('busy', translations.processing.heading, translations.processing.text),
  })
}

function stateCard(sign: StateSign, heading: string, text: string, more?: Markup): Markup {
  return html`<section class="card state" aria-labelledby="state"${
    sign === 'busy' && html` aria-live="polite"`
  }>
${stateSign(sign)}
<h2 id="state">${heading}</h2>
<p>${text}</p>
${more}
</section>`
}

function receiptPage(view: ReceiptView, localization: Localization): string {
  const { payment_page: translations, labels, locale } = localization
  const name = isolate(view.account_name)
  const { sign, amount, heading, text } = receiptHead(view, localization)
  const receipt = html`<dl class="facts">
${fact(translations.receipt.paid_to, view.account_name)}
${fact(labels.paid_at, timeText(view.paid_at, locale, view.timezone))}
${view.refund && refundFacts(view, view.refund, localization)}
${fact(translations.receipt.number, view.transaction_id, 'number')}
</dl>
<button type="button" class="secondary" id="print" hidden>${translations.receipt.print}</button>`
  return twoColumns(view, localization, {
    title: `${heading}: ${amount}, ${name}`,
    label: translations.amount_paid,
    right: stateCard(sign, heading, text, receipt),
  })
}

type ReceiptView = In<'paid'> | In<'already_paid'>

/** The status at the top of the receipt: refunded, partly refunded or paid. */
function receiptHead(view: ReceiptView, localization: Localization) {
  const { payment_page: translations } = localization
  const name = isolate(view.account_name)
  const amount = amountOf(view, localization)
  if (view.state === 'already_paid')
    return { sign: 'done', amount, ...translations.already_paid } as const
  const { refund } = view
  if (refund === null) {
    return {
      sign: 'done',
      amount,
      ...translations.paid,
      text: translations.paid.text(name),
    } as const
  }
  const sign = 'back'
  if (isFull(view, refund)) {
    return {
      sign,
      amount,
      ...translations.refunded,
      text: translations.refunded.text(name),
    } as const
  }
  const { heading, text } = translations.partly_refunded
  const back = amountText(refund.amount, view.currency, localization.locale)
  const part = refundedText(view, refund, localization)
  return { sign, amount: part, heading, text: text(name, back, amount) } as const
}

function refundFacts(view: ReceiptView, refund: ShownRefund, localization: Localization): Markup {
  const { labels, payment_page, locale } = localization
  const { refunded_amount } = payment_page.receipt
  const at = timeText(refund.at, locale, view.timezone)
  return html`${fact(refunded_amount, refundedText(view, refund, localization))}
${fact(labels.refunded_at, at)}`
}

/** The full amount, or "$25.00 of $75.00". */
function refundedText(view: ReceiptView, refund: ShownRefund, localization: Localization): string {
  const back = amountText(refund.amount, view.currency, localization.locale)
  return isFull(view, refund)
    ? back
    : localization.payment_page.receipt.part(back, amountOf(view, localization))
}

function isFull(view: ReceiptView, refund: ShownRefund): boolean {
  return refund.amount >= view.amount
}

type Ended = In<'failed'> | In<'canceled'> | In<'expired'> | In<'unavailable'>

const endSigns: Record<Ended['state'], StateSign> = {
  failed: 'ended',
  canceled: 'nothing',
  expired: 'wait',
  unavailable: 'pause',
}

function endedPage(view: Ended, localization: Localization): string {
  const { payment_page: translations } = localization
  const { heading } = translations[view.state]
  return twoColumns(view, localization, {
    title: heading,
    label: translations.payment_requested,
    muted: view.state !== 'unavailable',
    right: stateCard(endSigns[view.state], heading, endText(view, localization)),
  })
}

function endText(view: Ended, { payment_page: translations, locale }: Localization): string {
  const name = isolate(view.account_name)
  if (view.state === 'canceled') return translations.canceled.text(name)
  const how = view.takes_cards ? 'text' : 'by_transfer'
  switch (view.state) {
    case 'failed':
      return translations.failed[view.declined ? 'declined' : how](name)
    case 'expired':
      return translations.expired[how](timeText(view.expires_at, locale, view.timezone), name)
    case 'unavailable':
      return translations.unavailable[how](name)
  }
}

function linkErrorPage(view: In<'not_found'> | In<'away'>, localization: Localization): string {
  const { payment_page: translations } = localization
  const { heading, text } = translations[view.state]
  const again = view.state === 'away' ? view.page_url : undefined
  return frame({
    localization,
    title: heading,
    state: view.state,
    sandbox: view.sandbox,
    base_path: view.base_path,
    columns: 1,
    content: html`<section class="link-error">
${mark(56)}
<h1>${heading}</h1>
<p class="lead">${text}</p>
${again !== undefined && html`<a class="primary" href="${again}">${translations.away.again}</a>`}
</section>`,
  })
}
