// An email's facts put into translations: everything it says, and nothing of how it looks.

import { amountText, namesCurrency } from '../primitives/amount-text.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { timeText } from '../primitives/time-text.ts'
import type { Email, EmailFacts } from './email.ts'
import type {
  EmailText,
  EmailTextWithLink,
  EmailTranslations,
  Payment,
} from './translations/email-translations.ts'
import { type Localization, localizationFor } from './translations.ts'

export interface Draft extends EmailText {
  language: string
  /** The one thing to see first. */
  amount: string | null
  rows: { label: string; value: string }[]
  link: { url: string; button: string; hint: string; without_button: string } | null
  /** Above all else, in a sandbox. */
  band: string | null
  foot: string
}

export interface DraftOptions {
  sandbox: boolean
  /** Whether the processor takes cards; else money comes by transfer. */
  takes_cards: boolean
}

type Given = Pick<Email, 'language' | 'timezone'> &
  { [Kind in Email['kind']]: { kind: Kind; facts: EmailFacts[Kind] } }[Email['kind']]

export function draftEmail(given: Given, options: DraftOptions): Draft {
  const { sandbox } = options
  const email = withPlainFacts(given)
  const localization = localizationFor(email.language)
  const { translations, tag } = localization
  const body = bodyOf(email, localization, options)
  const { subject: short_subject } = bodyOf(withShortName(email), localization, options)
  const band = sandbox ? translations.sandbox : null
  const subject = oneLine(sandbox ? `[Sandbox] ${short_subject}` : short_subject)
  const foot = translations.foot(email.facts.account_name)
  return { ...body, subject, band, foot, language: tag }
}

/** What others wrote stands among our translations, in text and HTML alike, and turns none around. */
function withPlainFacts<Some extends Given>(email: Some): Some {
  const { facts } = email
  const account_name = stripBidiControls(facts.account_name)
  if (!('reference' in facts) || facts.reference === null) {
    return { ...email, facts: { ...facts, account_name } }
  }
  const reference = stripBidiControls(facts.reference)
  return { ...email, facts: { ...facts, account_name, reference } }
}

// Names may have 200 characters, and a subject is cut where it is too long. What comes behind the
// name is often the amount: half of a number would be another number.
const name_in_subject_max = 60

function withShortName<Some extends Given>(email: Some): Some {
  const characters = [...email.facts.account_name]
  if (characters.length <= name_in_subject_max) return email
  const account_name = `${characters.slice(0, name_in_subject_max - 1).join('')}…`
  return { ...email, facts: { ...email.facts, account_name } }
}

type Body = Omit<Draft, 'band' | 'foot' | 'language'>

function bodyOf(email: Given, localization: Localization, { takes_cards }: DraftOptions): Body {
  const { labels } = localization.translations
  const name = email.facts.account_name
  const at = (time: string) => timeText(time, localization.tag, email.timezone)
  switch (email.kind) {
    case 'payment_request':
    case 'payment_reminder':
      return payment(
        asking(email.kind, localization.translations, takes_cards),
        email.facts,
        localization,
        [{ label: labels.pay_by, value: at(email.facts.expires_at) }],
      )
    case 'payment_receipt':
      return payment(localization.translations.payment_receipt, email.facts, localization, [
        { label: labels.paid_at, value: at(email.facts.paid_at) },
        { label: labels.transaction, value: email.facts.transaction_id },
      ])
    case 'payment_refund':
      return refund(email.facts, localization, at(email.facts.refunded_at))
    case 'email_verification':
      return withLink(
        localization.translations,
        localization.translations.email_verification({ name }),
        email.facts.url,
        [
          { label: labels.account, value: name },
          { label: labels.until, value: at(email.facts.expires_at) },
        ],
      )
    case 'email_change_notice':
      return changeNotice(email.facts, localization.translations)
    case 'webhook_disabled':
      return webhookDisabled(email.facts, localization.translations)
  }
}

type WritePaymentText = (payment: Payment) => EmailTextWithLink

type Asking = 'payment_request' | 'payment_reminder'

function asking(
  kind: Asking,
  translations: EmailTranslations,
  takes_cards: boolean,
): WritePaymentText {
  return (payment) => {
    const { lead_by_transfer, ...says } = translations[kind](payment)
    return takes_cards ? says : { ...says, lead: lead_by_transfer, button: translations.how_to_pay }
  }
}

function payment(
  say: WritePaymentText,
  facts: EmailFacts['payment_request' | 'payment_receipt' | 'payment_refund'],
  { translations, tag }: Localization,
  more: Draft['rows'],
  label_of_name = translations.labels.to,
): Body {
  const { account_name: name, reference, url } = facts
  const amount = amountText(facts.amount, facts.currency, tag)
  const rows = [{ label: label_of_name, value: name }]
  if (reference) rows.push({ label: translations.labels.reference, value: reference })
  const says = say({ name, amount })
  // "$75.00" can be twenty currencies, and whoever reads it may live where it is another one.
  const exact = namesCurrency(amount, facts.currency) ? amount : `${amount} ${facts.currency}`
  return { ...withLink(translations, says, url, [...rows, ...more]), amount: exact }
}

function refund(
  facts: EmailFacts['payment_refund'],
  localization: Localization,
  refunded_at: string,
): Body {
  const { labels, payment_refund } = localization.translations
  const paid = amountText(facts.paid_amount, facts.currency, localization.tag)
  const is_full = facts.amount === facts.paid_amount
  const say: WritePaymentText = (payment) => payment_refund({ ...payment, paid, is_full })
  const more = [
    { label: labels.paid, value: paid },
    { label: labels.refunded_at, value: refunded_at },
    { label: labels.transaction, value: facts.transaction_id },
  ]
  return payment(say, facts, localization, is_full ? more.slice(1) : more, labels.from)
}

function withLink(
  translations: EmailTranslations,
  says: EmailTextWithLink,
  url: string,
  rows: Draft['rows'],
): Body {
  const { button, ...rest } = says
  const link = { url, button, hint: translations.link, without_button: translations.without_button }
  return { ...rest, amount: null, rows, link }
}

function changeNotice(
  facts: EmailFacts['email_change_notice'],
  translations: EmailTranslations,
): Body {
  const name = facts.account_name
  const says = facts.confirmed
    ? translations.email_change_confirmed({ name })
    : translations.email_change_requested({ name })
  const rows = [
    { label: translations.labels.account, value: name },
    { label: translations.labels.new_email, value: facts.new_email },
  ]
  return { ...says, amount: null, rows, link: null }
}

function webhookDisabled(
  facts: EmailFacts['webhook_disabled'],
  translations: EmailTranslations,
): Body {
  const name = facts.account_name
  const says =
    facts.reason === 'gone'
      ? translations.webhook_gone({ name })
      : translations.webhook_failing({ name })
  const rows = [
    { label: translations.labels.account, value: name },
    { label: translations.labels.endpoint, value: facts.endpoint_url },
    { label: translations.labels.endpoint_id, value: facts.endpoint_id },
  ]
  return { ...says, amount: null, rows, link: null }
}

// Programs that show mail show about so much.
const subject_length_max = 120

/**
 * A header is one line. Control characters and line separators would end it or begin another;
 * marks that turn the direction of writing would let a name rewrite the translations around it.
 */
export function oneLine(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  const characters = [...plain]
  if (characters.length <= subject_length_max) return plain
  return `${characters.slice(0, subject_length_max - 1).join('')}…`
}
