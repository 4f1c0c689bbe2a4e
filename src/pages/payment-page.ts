// The hosted payment page, in each of its states. A pure function of what it is told: it reads no
// clock and asks nobody.

import { amountText } from '../primitives/amount-text.ts'
import { html, type Markup } from '../primitives/markup.ts'
import { timeText } from '../primitives/time-text.ts'
import { mark } from './mark.ts'
import { type StateSign, stateSign } from './payment-drawings.ts'
import { cardForm } from './payment-form.ts'
import { amountOf, fact, frame, isolate, summary } from './payment-frame.ts'
import type { PaymentFacts, PaymentState, PaymentView, ShownRefund } from './payment-view.ts'
import { chooseTongue, type Tongue } from './payment-words.ts'

export function paymentPage(view: PaymentView): string {
  const tongue = chooseTongue(view.language)
  switch (view.state) {
    case 'form':
      return formPage(view, tongue)
    case 'manual':
      return manualPage(view, tongue)
    case 'processing':
      return processingPage(view, tongue)
    case 'paid':
    case 'already_paid':
      return receiptPage(view, tongue)
    case 'not_found':
    case 'away':
      return nobodyPage(view, tongue)
    default:
      return endedPage(view, tongue)
  }
}

type In<State extends PaymentState> = Extract<PaymentView, { state: State }>

function formPage(view: In<'form'>, tongue: Tongue): string {
  const { words } = tongue
  const title = words.title(amountOf(view, tongue), isolate(view.account_name))
  return twoColumns(view, tongue, {
    title: view.error === undefined ? title : `${words.error}: ${title}`,
    label: words.payment_requested,
    pay_by: timeText(view.expires_at, tongue.locale, view.timezone),
    right: cardForm(view, tongue),
  })
}

interface TwoColumns {
  title: string
  label: string
  pay_by?: string
  muted?: boolean
  ask_again?: string
  right: Markup
}

function twoColumns(
  view: PaymentFacts & { state: PaymentState },
  tongue: Tongue,
  { title, label, pay_by, muted, ask_again, right }: TwoColumns,
): string {
  return frame({
    tongue,
    title,
    state: view.state,
    sandbox: view.sandbox,
    base_path: view.base_path,
    page_path: view.page_path,
    ask_again,
    columns: 2,
    content: html`${summary(view, tongue, { label, pay_by, muted: muted ?? false })}
${right}`,
  })
}

function manualPage(view: In<'manual'>, tongue: Tongue): string {
  const { words } = tongue
  const name = isolate(view.account_name)
  return twoColumns(view, tongue, {
    title: words.title(amountOf(view, tongue), name),
    label: words.payment_requested,
    pay_by: timeText(view.expires_at, tongue.locale, view.timezone),
    right: html`<section class="card" aria-labelledby="state">
<h2 id="state">${words.manual.heading}</h2>
<p class="instructions" dir="auto">${view.instructions ?? words.manual.ask(name)}</p>
<div class="quote">
<p id="quote-label">${words.manual.code_label}</p>
<p class="quoted" dir="auto" aria-labelledby="quote-label">${view.transfer_reference}</p>
<button type="button" class="secondary" id="copy" data-copied="${words.manual.copied}" hidden
><span aria-live="polite">${words.manual.copy}</span></button>
</div>
<p class="safe"><span>${words.manual.note(name)}</span></p>
</section>`,
  })
}

function processingPage(view: In<'processing'>, tongue: Tongue): string {
  const { words } = tongue
  return twoColumns(view, tongue, {
    title: words.processing.heading,
    label: words.payment_requested,
    ask_again: view.page_url,
    right: stateCard('busy', words.processing.heading, words.processing.text),
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

function receiptPage(view: ReceiptView, tongue: Tongue): string {
  const { words, locale } = tongue
  const name = isolate(view.account_name)
  const { sign, amount, heading, text } = receiptHead(view, tongue)
  const receipt = html`<dl class="facts">
${fact(words.receipt.paid_to, view.account_name)}
${fact(words.receipt.paid_at, timeText(view.paid_at, locale, view.timezone))}
${view.refund && refundFacts(view, view.refund, tongue)}
${fact(words.receipt.number, view.transaction_id, 'number')}
</dl>
<button type="button" class="secondary" id="print" hidden>${words.receipt.print}</button>`
  return twoColumns(view, tongue, {
    title: `${heading}: ${amount}, ${name}`,
    label: words.amount_paid,
    right: stateCard(sign, heading, text, receipt),
  })
}

type ReceiptView = In<'paid'> | In<'already_paid'>

/** What the payer should see first: that the money is back, or that it was paid. */
function receiptHead(view: ReceiptView, tongue: Tongue) {
  const { words } = tongue
  const name = isolate(view.account_name)
  const amount = amountOf(view, tongue)
  if (view.state === 'already_paid') return { sign: 'done', amount, ...words.already_paid } as const
  const { refund } = view
  if (refund === null) {
    return { sign: 'done', amount, ...words.paid, text: words.paid.text(name) } as const
  }
  const sign = 'back'
  if (isFull(view, refund)) {
    return { sign, amount, ...words.refunded, text: words.refunded.text(name) } as const
  }
  const { heading, text } = words.partly_refunded
  const back = amountText(refund.amount, view.currency, tongue.locale)
  const part = refundedText(view, refund, tongue)
  return { sign, amount: part, heading, text: text(name, back, amount) } as const
}

function refundFacts(view: ReceiptView, refund: ShownRefund, tongue: Tongue): Markup {
  const { receipt } = tongue.words
  const at = timeText(refund.at, tongue.locale, view.timezone)
  return html`${fact(receipt.refunded_amount, refundedText(view, refund, tongue))}
${fact(receipt.refunded_at, at)}`
}

/** All of it, or "$25.00 of $75.00". */
function refundedText(view: ReceiptView, refund: ShownRefund, tongue: Tongue): string {
  const back = amountText(refund.amount, view.currency, tongue.locale)
  return isFull(view, refund) ? back : tongue.words.receipt.part(back, amountOf(view, tongue))
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

function endedPage(view: Ended, tongue: Tongue): string {
  const { words } = tongue
  const { heading } = words[view.state]
  return twoColumns(view, tongue, {
    title: heading,
    label: words.payment_requested,
    muted: view.state !== 'unavailable',
    right: stateCard(endSigns[view.state], heading, endText(view, tongue)),
  })
}

function endText(view: Ended, { words, locale }: Tongue): string {
  const name = isolate(view.account_name)
  if (view.state === 'canceled') return words.canceled.text(name)
  const how = view.takes_cards ? 'text' : 'by_transfer'
  switch (view.state) {
    case 'failed':
      return words.failed[view.declined ? 'declined' : how](name)
    case 'expired':
      return words.expired[how](timeText(view.expires_at, locale, view.timezone), name)
    case 'unavailable':
      return words.unavailable[how](name)
  }
}

function nobodyPage(view: In<'not_found'> | In<'away'>, tongue: Tongue): string {
  const { words } = tongue
  const { heading, text } = words[view.state]
  const again = view.state === 'away' ? view.page_url : undefined
  return frame({
    tongue,
    title: heading,
    state: view.state,
    sandbox: view.sandbox,
    base_path: view.base_path,
    columns: 1,
    content: html`<section class="nobody">
${mark(56)}
<h1>${heading}</h1>
<p class="lead">${text}</p>
${again !== undefined && html`<a class="primary" href="${again}">${words.away.again}</a>`}
</section>`,
  })
}
