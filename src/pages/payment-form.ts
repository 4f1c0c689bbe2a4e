// The card form in its states, and the sandbox's test cards.

import { html, type Markup } from '../primitives/markup.ts'
import { testCards } from '../processors/test-cards.ts'
import type { Localization } from '../translations/localization.ts'
import type { Notice, PaymentPageTranslations } from '../translations/translations.ts'
import { alertSign, faultSign, lock } from './payment-drawings.ts'
import { amountOf, isolate } from './payment-frame.ts'
import type { CardFaults, CardField, PaymentFormError, PaymentView } from './payment-view.ts'

type FormView = Extract<PaymentView, { state: 'form' }>

export function cardForm(view: FormView, localization: Localization): Markup {
  const { payment_page: translations } = localization
  const { error, form_action, form_token } = view
  const faults = error?.code === 'malformed' ? error.faults : {}
  const focused = fieldOrder.find((name) => faults[name] !== undefined)
  const expires = view.values?.expires
  return html`<div class="card pay">
<form method="post" action="${form_action}" id="card-form" novalidate
 aria-labelledby="pay-heading" data-month="${testCardMonth(view.expires_at)}"
${scriptTranslations(translations)}>
<h2 id="pay-heading">${translations.pay_by_card}</h2>
${notice(error, translations)}
<input type="hidden" name="form_token" value="${form_token}">
${cardField({
  name: 'number',
  faults,
  focused,
  translations,
  refused: error?.code === 'card_refused',
})}
<div class="two">
${cardField({ name: 'expires', faults, focused, translations, value: expires })}
${cardField({ name: 'csc', faults, focused, translations })}
</div>
<button class="primary" id="pay">${translations.pay(amountOf(view, localization))}</button>
<p class="safe">${lock}<span>${translations.trust(isolate(view.account_name))}</span></p>
</form>
${view.sandbox && testCardForm(view, translations)}
</div>`
}

const fieldOrder: readonly CardField[] = ['number', 'expires', 'csc']

const attributes = new Map<PaymentPageTranslations, Markup>()

// The script shows the same messages as the server. They are serialized once per language.
function scriptTranslations(translations: PaymentPageTranslations): Markup {
  const known = attributes.get(translations) ?? serialize(translations)
  attributes.set(translations, known)
  return known
}

function serialize({ errors, offline, faults, paying }: PaymentPageTranslations): Markup {
  const messages = {
    paying,
    refused: errors.card_refused,
    offline,
    faults,
  }
  return html`data-translations="${JSON.stringify(messages)}"`
}

// The expiration date that the script fills in for a test card. It is far enough in the future to
// be valid even when the sandbox clock is ahead of the browser's.
function testCardMonth(expires_at: string | Date): string {
  return `12 / ${(new Date(expires_at).getUTCFullYear() + 3) % 100}`
}

function notice(
  error: PaymentFormError | undefined,
  translations: PaymentPageTranslations,
): Markup {
  const is_shown = error !== undefined && error.code !== 'malformed'
  return noticeBox(is_shown ? translations.errors[error.code] : undefined)
}

/** Always rendered, because the script shows its messages here. A visible notice gets the focus. */
export function noticeBox(shown: Notice | undefined): Markup {
  const [what, next] = shown ?? ['', '']
  return html`<div class="notice" id="notice" role="alert" tabindex="-1"${
    shown === undefined ? html` hidden` : html` autofocus`
  }>${alertSign}<p><b>${what}</b> <span>${next}</span></p></div>`
}

interface CardFieldFacts {
  name: CardField
  faults: CardFaults
  focused: CardField | undefined
  translations: PaymentPageTranslations
  value?: string | undefined
  refused?: boolean
}

function cardField({
  name,
  faults,
  focused,
  translations,
  value,
  refused,
}: CardFieldFacts): Markup {
  const { label, autocomplete, placeholder, hint, length_max } = fields[name]
  const fault = faultText(name, faults, translations)
  const shown = hint === undefined ? undefined : translations[hint]
  const notes = [shown && `${name}-hint`, fault && `${name}-fault`, refused && 'notice']
  const described = notes.filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${translations[label]}</label>
<input id="${name}" name="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}"
 maxlength="${length_max}" spellcheck="false" required${[
   placeholder !== undefined && html` placeholder="${placeholder(translations)}"`,
   value !== undefined && html` value="${value}"`,
   described !== '' && html` aria-describedby="${described}"`,
   (fault !== undefined || refused) && html` aria-invalid="true"`,
   name === focused && html` autofocus`,
 ]}>
<p class="fault" id="${name}-fault"${fault === undefined && html` hidden`}>${faultSign}<span>${
    fault
  }</span></p>
${shown && html`<span class="unseen" id="${name}-hint">${shown}</span>`}
</div>`
}

interface FieldShape {
  label: 'card_number' | 'expires' | 'security_code'
  autocomplete: string
  /** Shows the format. It disappears on input, so screen readers get it from the hint. */
  placeholder?: (translations: PaymentPageTranslations) => string
  hint?: 'expires_hint' | 'security_code_hint'
  /** Allows for spaces between digits and for browser autofill formats. */
  length_max: number
}

const fields: Record<CardField, FieldShape> = {
  number: { label: 'card_number', autocomplete: 'cc-number', length_max: 32 },
  expires: {
    label: 'expires',
    autocomplete: 'cc-exp',
    placeholder: (translations) => translations.expires_hint,
    hint: 'expires_hint',
    length_max: 9,
  },
  csc: {
    label: 'security_code',
    autocomplete: 'cc-csc',
    placeholder: () => 'CVC',
    hint: 'security_code_hint',
    length_max: 4,
  },
}

function faultText(
  name: CardField,
  faults: CardFaults,
  { faults: translations }: PaymentPageTranslations,
): string | undefined {
  const fault = faults[name]
  if (fault === undefined) return undefined
  if (name === 'expires') return translations.expires[fault]
  return translations[name][fault === 'past' ? 'malformed' : fault]
}

// A separate form after the card form. Without scripts, a tap submits the card. With scripts, it
// fills the fields above, so the test payment follows the same steps as a real one.
function testCardForm(
  { form_action, form_token }: FormView,
  translations: PaymentPageTranslations,
): Markup {
  return html`<form class="tests" method="post" action="${form_action}" id="test-cards"
 aria-labelledby="tests-heading">
<h2 id="tests-heading">${translations.test_cards}</h2>
<p>${translations.test_cards_hint}</p>
<input type="hidden" name="form_token" value="${form_token}">
${testCards.map(
  ({
    number,
    outcome,
  }) => html`<button name="card" value="${number}"><b>${translations.outcomes[outcome]}</b>
<span>${number.replace(/(.{4})(?=.)/g, '$1 ')}</span></button>
`,
)}</form>`
}
