// The page of a reusable payment link: asks for an email address and, if it is open, the amount.

import { html, type Markup } from '../primitives/markup.ts'
import { amountText, namesCurrency } from '../primitives/money.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { formatAmountInput } from '../primitives/typed-amount.ts'
import { type Localization, localizationFor } from '../translations/localization.ts'
import type { LinkPageTranslations } from '../translations/translations.ts'
import { field } from './field.ts'
import { type PaymentBrand, who } from './payment-brand.ts'
import { stateSign } from './payment-drawings.ts'
import { noticeBox } from './payment-form.ts'
import { frame, isolate } from './payment-frame.ts'

export interface LinkFacts {
  account_name: string
  /** Of the link, written by the account. */
  title: string
  currency: string
  /** Null if the payer enters it. */
  amount: number | null
  amount_min: number | null
  amount_max: number | null
  amount_suggested: number | null
  language: string
  sandbox: boolean
  base_path: string
  /** The path of this page in the payer's preferred language. */
  page_path: string
  brand: PaymentBrand
}

type LinkFormError = keyof LinkPageTranslations['errors']

export interface LinkForm {
  form_action: string
  form_token: string
  /** Submitting the same form twice creates one payment request. */
  form_id: string
  /** What the payer entered before. */
  values?: { email: string; amount: string }
  faults?: { email?: boolean; amount?: boolean }
  error?: LinkFormError | undefined
}

export function linkFormPage(facts: LinkFacts, form: LinkForm): string {
  const localization = localizationFor(facts.language)
  const { link_page: translations, payment_page } = localization
  const title = translations.title(isolate(facts.account_name))
  const has_error = form.error !== undefined || form.faults !== undefined
  return columns(facts, localization, {
    state: 'link',
    title: has_error ? `${payment_page.error}: ${title}` : title,
    right: formCard(facts, form, localization),
  })
}

/** A link that accepts no payments now. */
export function linkEndPage(facts: LinkFacts, end: 'ended' | 'used_up' | 'unavailable'): string {
  const localization = localizationFor(facts.language)
  const { link_page, payment_page } = localization
  const { heading, text } = end === 'unavailable' ? payment_page.unavailable : link_page[end]
  const sign = { ended: 'nothing', used_up: 'wait', unavailable: 'pause' } as const
  return columns(facts, localization, {
    state: 'link_end',
    title: heading,
    right: html`<section class="card state" aria-labelledby="state">
${stateSign(sign[end])}
<h2 id="state">${heading}</h2>
<p>${text(isolate(facts.account_name))}</p>
</section>`,
  })
}

function columns(
  facts: LinkFacts,
  localization: Localization,
  { state, title, right }: { state: 'link' | 'link_end'; title: string; right: Markup },
): string {
  const { sandbox, base_path, page_path } = facts
  return frame({
    localization,
    title,
    state,
    sandbox,
    base_path,
    page_path,
    accent: facts.brand.accent,
    columns: 2,
    content: html`${summary(facts, localization)}
${right}`,
  })
}

function summary(facts: LinkFacts, { locale }: Localization): Markup {
  const { account_name, amount, currency, brand } = facts
  const title = html`<bdi>${stripBidiControls(facts.title)}</bdi>`
  if (amount === null) {
    return html`<section class="summary">
${who(account_name, brand)}
<h1 class="link-title">${title}</h1>
</section>`
  }
  const text = amountText(amount, currency, locale)
  const code = !namesCurrency(text, currency) && html`<small> ${currency}</small>`
  return html`<section class="summary">
${who(account_name, brand)}
<h1><span class="label">${title}</span> <span class="amount">${text}${code}</span></h1>
</section>`
}

function formCard(facts: LinkFacts, form: LinkForm, localization: Localization): Markup {
  const { link_page: translations } = localization
  const { faults = {}, values, error } = form
  return html`<div class="card pay">
<form method="post" action="${form.form_action}" id="link-form" novalidate
 aria-labelledby="pay-heading">
<h2 id="pay-heading">${translations.heading}</h2>
${noticeBox(error && translations.errors[error])}
<input type="hidden" name="form_token" value="${form.form_token}">
<input type="hidden" name="form_id" value="${form.form_id}">
${facts.amount === null && amountField(facts, form, localization)}
${field({
  name: 'email',
  label: translations.email,
  type: 'email',
  autocomplete: 'email',
  required: true,
  value: values?.email,
  hint: translations.email_hint,
  fault: faults.email ? translations.email_fault : undefined,
  focused: faults.email === true && !faults.amount,
})}
<button class="primary">${translations.continue}</button>
</form>
</div>`
}

function amountField(facts: LinkFacts, form: LinkForm, localization: Localization): Markup {
  const { link_page: translations, locale } = localization
  const { amount_min, amount_max, amount_suggested, currency } = facts
  const [min, max] = [amount_min ?? 1, amount_max ?? 1]
  const show = (amount: number) => amountText(amount, currency, locale)
  const typed = (amount: number) => formatAmountInput(amount, currency, locale)
  const suggested = amount_suggested === null ? undefined : typed(amount_suggested)
  const fault = translations.amount_fault(show(min), show(max), typed(amount_suggested ?? min))
  return field({
    name: 'amount',
    label: `${translations.amount} (${currency})`,
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    required: true,
    value: form.values?.amount ?? suggested,
    hint: translations.amount_range(show(min), show(max)),
    fault: form.faults?.amount ? fault : undefined,
    focused: form.faults?.amount === true,
  })
}
