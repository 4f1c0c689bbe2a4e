// How to pay by bank transfer: a bank account with a QR code, or a text, and the code that matches
// the transfer. Without the script, one click selects a whole value for copying.

import { groupByFour } from '../bank/iban.ts'
import { html, type Markup } from '../primitives/markup.ts'
import { stripBidiControls } from '../primitives/text.ts'
import type { Localization } from '../translations/localization.ts'
import { qrCode } from './payment-drawings.ts'
import { amountOf, isolate } from './payment-frame.ts'
import type { PaymentFacts, TransferFacts } from './payment-view.ts'

export function transferDetails(
  transfer: TransferFacts,
  facts: PaymentFacts,
  localization: Localization,
): Markup {
  const { manual } = localization.payment_page
  const name = isolate(facts.account_name)
  const details =
    transfer.bank_account === undefined
      ? instructions(transfer, name, localization)
      : bankAccount(transfer, transfer.bank_account, facts, localization)
  return html`${details}
<p class="safe"><span>${manual.note(name)}</span></p>`
}

function instructions(
  { instructions: text, transfer_reference }: TransferFacts,
  name: string,
  { payment_page: { manual } }: Localization,
): Markup {
  const shown = groupByFour(transfer_reference)
  return html`<p class="instructions" dir="auto">${text ?? manual.ask(name)}</p>
<div class="quote">
<p id="quote-label">${manual.code_label}</p>
<p class="quoted" aria-labelledby="quote-label">${shown}</p>
<button type="button" class="secondary" data-copy="${transfer_reference}"
 data-copied="${manual.copied}" hidden><span aria-live="polite">${manual.copy}</span></button>
</div>`
}

function bankAccount(
  { transfer_reference }: TransferFacts,
  { name, iban, bic, fields, qr_text }: NonNullable<TransferFacts['bank_account']>,
  facts: PaymentFacts,
  localization: Localization,
): Markup {
  const { transfer } = localization.payment_page
  const rows: AccountRow[] = [
    [transfer.recipient, name, name],
    ...(iban === null ? [] : ([['IBAN', groupByFour(iban), iban]] as const)),
    ...(bic === null ? [] : ([['BIC', bic, bic]] as const)),
    ...fields.map(({ label, value }) => [label, value, value] as const),
    // Not for copying: forms of banks read "75.00" and "75,00" in different ways.
    [transfer.amount, amountOf(facts, localization)],
    [transfer.code, groupByFour(transfer_reference), transfer_reference],
  ]
  return html`<p class="instructions">${transfer.lead}</p>
<dl class="account">
${rows.map((row, at) => accountRow(row, at, localization))}</dl>
${
  qr_text !== undefined &&
  html`<figure class="qr">
${qrCode(qr_text, transfer.qr_label)}
<figcaption>${transfer.scan}</figcaption>
</figure>`
}`
}

type AccountRow = readonly [label: string, shown: string, copied?: string]

/** The name of the button is its text and the label. */
function accountRow(
  [label, shown, copied]: AccountRow,
  at: number,
  { payment_page: { manual, transfer } }: Localization,
): Markup {
  const button =
    copied !== undefined &&
    html`
<dd class="action"><button type="button" class="copy" data-copy="${stripBidiControls(copied)}"
 data-copied="${manual.copied}" aria-labelledby="copy-${at} label-${at}" hidden
><span id="copy-${at}" aria-live="polite">${transfer.copy}</span></button></dd>`
  return html`<div><dt id="label-${at}" dir="auto">${stripBidiControls(label)}</dt>
<dd class="quoted" dir="auto">${stripBidiControls(shown)}</dd>${button}</div>
`
}
