// The choice of providers, and the instructions for transfers. The payer enters no card here.

import { html, type Markup } from '../primitives/markup.ts'
import type { Localization } from '../translations/localization.ts'
import type { Notice, PaymentPageTranslations } from '../translations/translations.ts'
import { lock } from './payment-drawings.ts'
import { noticeBox } from './payment-form.ts'
import { amountOf, isolate } from './payment-frame.ts'
import type { CheckoutError, PaymentView, TransferFacts } from './payment-view.ts'

type CheckoutView = Extract<PaymentView, { state: 'checkout' }>

export function checkoutForm(view: CheckoutView, localization: Localization): Markup {
  const { payment_page: translations } = localization
  const { error, form_action, form_token, transfer } = view
  const name = isolate(view.account_name)
  return html`<div class="card pay">
<form method="post" action="${form_action}" id="checkout-form" aria-labelledby="pay-heading"
 data-opening="${translations.checkout.opening}">
<h2 id="pay-heading">${translations.checkout.heading}</h2>
${noticeBox(error && noticeFor(error, translations))}
<input type="hidden" name="form_token" value="${form_token}">
<div class="providers">
${providerButtons(view, localization)}</div>
<p class="safe">${lock}<span>${translations.checkout.trust(name)}</span></p>
</form>
${transfer && transferSection(transfer, name, translations)}
</div>`
}

/** A single button has the amount; several have the way to pay, next to the amount on the page. */
function providerButtons(
  { providers, ...view }: CheckoutView,
  localization: Localization,
): Markup[] {
  const { pay, checkout } = localization.payment_page
  return providers.map((provider) => {
    const label =
      providers.length === 1
        ? pay(amountOf({ ...view }, localization))
        : checkout.pay_with[provider]
    return html`<button class="primary" name="provider" value="${provider}">${label}</button>
`
  })
}

function noticeFor(error: CheckoutError, { errors, checkout }: PaymentPageTranslations): Notice {
  return error === 'too_many' ? errors.too_many : checkout.errors[error]
}

function transferSection(
  transfer: TransferFacts,
  name: string,
  translations: PaymentPageTranslations,
): Markup {
  return html`<section class="transfer" aria-labelledby="transfer-heading">
<h2 id="transfer-heading">${translations.checkout.or_transfer}</h2>
${transferDetails(transfer, name, translations)}
</section>`
}

export function transferDetails(
  { instructions, transfer_reference }: TransferFacts,
  name: string,
  { manual }: PaymentPageTranslations,
): Markup {
  return html`<p class="instructions" dir="auto">${instructions ?? manual.ask(name)}</p>
<div class="quote">
<p id="quote-label">${manual.code_label}</p>
<p class="quoted" dir="auto" aria-labelledby="quote-label">${transfer_reference}</p>
<button type="button" class="secondary" id="copy" data-copied="${manual.copied}" hidden
><span aria-live="polite">${manual.copy}</span></button>
</div>
<p class="safe"><span>${manual.note(name)}</span></p>`
}
