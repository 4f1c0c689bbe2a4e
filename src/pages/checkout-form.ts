// The choice of providers. The payer enters no card here.

import { html, type Markup } from '../primitives/markup.ts'
import type { Localization } from '../translations/localization.ts'
import type { Notice, PaymentPageTranslations } from '../translations/translations.ts'
import { lock } from './payment-drawings.ts'
import { noticeBox } from './payment-form.ts'
import { amountOf, isolate } from './payment-frame.ts'
import type { CheckoutError, PaymentView, TransferFacts } from './payment-view.ts'
import { transferDetails } from './transfer-details.ts'

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
${transfer && transferSection(transfer, view, localization)}
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
  view: CheckoutView,
  localization: Localization,
): Markup {
  return html`<details class="transfer">
<summary><h2>${localization.payment_page.checkout.or_transfer}</h2></summary>
${transferDetails(transfer, view, localization)}
</details>`
}
