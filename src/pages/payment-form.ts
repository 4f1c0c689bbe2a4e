// The card form in its states, and the test cards that the sandbox takes.

import { html, type Markup } from '../primitives/markup.ts'
import { testCards } from '../processors/test-cards.ts'
import { alertSign, faultSign, lock } from './payment-drawings.ts'
import { amountOf, isolate } from './payment-frame.ts'
import type {
  Notice,
  PaymentTranslations,
} from './payment-translations/payment-translations-shape.ts'
import type { Localization } from './payment-translations.ts'
import type { CardFaults, CardField, PaymentFormError, PaymentView } from './payment-view.ts'

type FormView = Extract<PaymentView, { state: 'form' }>

export function cardForm(view: FormView, localization: Localization): Markup {
  const { translations } = localization
  const { error, form_action, form_token } = view
  const faults = error?.code === 'malformed' ? error.faults : {}
  const focused = fieldOrder.find((name) => faults[name] !== undefined)
  const expires = view.values?.expires
  return html`<div class="card pay">
<form method="post" action="${form_action}" id="card-form" novalidate
 aria-labelledby="pay-heading" data-month="${goodMonth(view.expires_at)}"
${sentencesForScript(translations)}>
<h2 id="pay-heading">${translations.pay_by_card}</h2>
${notice(error, translations)}
<input type="hidden" name="form_token" value="${form_token}">
${cardField({ name: 'number', faults, focused, translations, refused: error?.code === 'card_refused' })}
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

const sentences = new Map<PaymentTranslations, Markup>()

// The script says what the server would say, so it is given the same sentences, written out once
// for each language.
function sentencesForScript(translations: PaymentTranslations): Markup {
  const known = sentences.get(translations) ?? writeSentences(translations)
  sentences.set(translations, known)
  return known
}

function writeSentences({ errors, offline, faults, paying }: PaymentTranslations): Markup {
  const said = {
    paying,
    refused: errors.card_refused,
    offline,
    faults,
  }
  return html`data-words="${JSON.stringify(said)}"`
}

// What the script fills in with a test card: a month that the server will take, whatever the time
// is there.
function goodMonth(expires_at: string | Date): string {
  return `12 / ${(new Date(expires_at).getUTCFullYear() + 3) % 100}`
}

/** Always there, so that the script has a place to speak. When it speaks, the focus is on it. */
function notice(error: PaymentFormError | undefined, translations: PaymentTranslations): Markup {
  const said: Notice | undefined =
    error === undefined || error.code === 'malformed' ? undefined : translations.errors[error.code]
  const [what, next] = said ?? ['', '']
  return html`<div class="notice" id="notice" role="alert" tabindex="-1"${
    said === undefined ? html` hidden` : html` autofocus`
  }>${alertSign}<p><b>${what}</b> <span>${next}</span></p></div>`
}

interface CardFieldFacts {
  name: CardField
  faults: CardFaults
  focused: CardField | undefined
  translations: PaymentTranslations
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
  /** Shows the shape. It goes when somebody types, so the hint says it to those who listen. */
  placeholder?: (translations: PaymentTranslations) => string
  hint?: 'expires_hint' | 'security_code_hint'
  /** Room for spaces between the digits, and for what browsers fill in. */
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
  { faults: translations }: PaymentTranslations,
): string | undefined {
  const fault = faults[name]
  if (fault === undefined) return undefined
  if (name === 'expires') return translations.expires[fault]
  return translations[name][fault === 'past' ? 'malformed' : fault]
}

// A form of its own, after the card form: without a script one tap sends the card, and with one it
// fills the fields above, so that paying looks as it will with a real card.
function testCardForm(
  { form_action, form_token }: FormView,
  translations: PaymentTranslations,
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
