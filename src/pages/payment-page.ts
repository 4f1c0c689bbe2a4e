// The hosted payment page in each of its states: a pure function of the view, with no clock and no
// I/O.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { amountText } from '../primitives/money.ts'
import { type Localization, localizationFor } from '../translations/localization.ts'
import { checkoutForm } from './checkout-form.ts'
import { mark } from './mark.ts'
import { contactLine } from './payment-brand.ts'
import { type StateSign, stateSign } from './payment-drawings.ts'
import { cardForm } from './payment-form.ts'
import {
  amountOf,
  backButton,
  fact,
  factOf,
  frame,
  isolate,
  summary,
  timeOf,
} from './payment-frame.ts'
import type { PaymentFacts, PaymentState, PaymentView, ShownRefund } from './payment-view.ts'
import { transferDetails } from './transfer-details.ts'

export function paymentPage(view: PaymentView): string {
  const localization = localizationFor(view.language)
  switch (view.state) {
    case 'form':
      return formPage(view, localization)
    case 'confirm':
      return confirmPage(view, localization)
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
    pay_by: timeOf(view.expires_at, localization, view),
    right: cardForm(view, localization),
  })
}

interface TwoColumns {
  title: string
  label: string
  pay_by?: Markup
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
    accent: view.brand.accent,
    columns: 2,
    content: html`${summary(view, localization, {
      label,
      pay_by,
      muted: muted ?? false,
      statement_name: charged.has(view.state) ? view.brand.statement_name : null,
    })}
${right}
${contactLine(view, localization)}`,
  })
}

/** The states in which a card is or was charged. */
const charged: ReadonlySet<PaymentState> = new Set<PaymentState>([
  'form',
  'confirm',
  'checkout',
  'processing',
  'paid',
  'already_paid',
])

/** Plays the page of the payer's bank. Both buttons end the attempt. */
function confirmPage(view: In<'confirm'>, localization: Localization): string {
  const { confirm } = localization.payment_page
  const text = confirm.text(amountOf(view, localization), isolate(view.account_name))
  return twoColumns(view, localization, {
    title: confirm.heading,
    label: localization.payment_page.payment_requested,
    right: stateCard(
      'ask',
      confirm.heading,
      text,
      html`<form method="post" action="${view.form_action}" id="confirm-form">
<input type="hidden" name="form_token" value="${view.form_token}">
<input type="hidden" name="card" value="${view.card}">
<button class="primary" name="confirmation" value="confirmed">${confirm.confirm}</button>
<button class="secondary" name="confirmation" value="rejected">${confirm.reject}</button>
<p class="played">${confirm.note}</p>
</form>`,
    ),
  })
}

function manualPage(view: In<'manual'>, localization: Localization): string {
  const { payment_page: translations } = localization
  const name = isolate(view.account_name)
  return twoColumns(view, localization, {
    title: translations.title(amountOf(view, localization), name),
    label: translations.payment_requested,
    pay_by: timeOf(view.expires_at, localization, view),
    right: html`<section class="card" aria-labelledby="state">
<h2 id="state">${translations.manual.heading}</h2>
${transferDetails(view, view, localization)}
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
    pay_by: timeOf(view.expires_at, localization, view),
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

function stateCard(sign: StateSign, heading: string, text: Part, more?: Markup): Markup {
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
  const { payment_page: translations, labels } = localization
  const name = isolate(view.account_name)
  const { sign, amount, heading, text } = receiptHead(view, localization)
  const receipt = html`<dl class="facts">
${fact(translations.receipt.paid_to, view.account_name)}
${factOf(labels.paid_at, timeOf(view.paid_at, localization, view))}
${view.refund && refundFacts(view, view.refund, localization)}
${fact(labels.transaction, view.transaction_id, 'number')}
</dl>
${backButton(view, localization, 'primary')}
${downloads(view, localization)}
<button type="button" class="secondary" id="print" hidden>${translations.receipt.print}</button>`
  return twoColumns(view, localization, {
    title: `${heading}: ${amount}, ${name}`,
    label: translations.amount_paid,
    right: stateCard(sign, heading, text, receipt),
  })
}

/** In the language of the page. */
function downloads(view: ReceiptView, { lang, payment_page }: Localization): Markup[] {
  const { download, download_credit_note } = payment_page.receipt
  const link = (path: string, text: string) => {
    const href = `${path}?lang=${lang}`
    return html`<a class="secondary" href="${href}" download>${text}</a>\n`
  }
  return [
    link(view.receipt_path, download),
    ...view.credit_note_paths.map((path) => link(path, download_credit_note)),
  ]
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
  const { labels, payment_page } = localization
  const { refunded_amount } = payment_page.receipt
  return html`${fact(refunded_amount, refundedText(view, refund, localization))}
${factOf(labels.refunded_at, timeOf(refund.at, localization, view))}`
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
    right: stateCard(
      endSigns[view.state],
      heading,
      endText(view, localization),
      backButton(view, localization, 'secondary'),
    ),
  })
}

function endText(view: Ended, localization: Localization): Part {
  const { payment_page: translations } = localization
  const name = isolate(view.account_name)
  if (view.state === 'canceled') return translations.canceled.text(name)
  const how = view.takes_cards ? 'text' : 'by_transfer'
  switch (view.state) {
    case 'failed':
      return translations.failed[view.declined ? 'declined' : how](name)
    case 'expired':
      return inSentence(
        (date) => translations.expired[how](date, name),
        timeOf(view.expires_at, localization, view),
      )
    case 'unavailable':
      return translations.unavailable[how](name)
  }
}

// PostgreSQL cannot store this character, so no name contains it.
const marker = '\u0000'

/** A translated sentence around markup. */
function inSentence(sentence: (text: string) => string, part: Markup): Markup {
  const [before, after] = sentence(marker).split(marker)
  return html`${before}${part}${after}`
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
