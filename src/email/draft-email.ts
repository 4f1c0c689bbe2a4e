// Turns an email's facts into its texts, without layout. render-email.ts adds the layout.

import { amountText, namesCurrency } from '../primitives/money.ts'
import { stripBidiControls } from '../primitives/text.ts'
import { timeText } from '../primitives/time.ts'
import { type Localization, localizationFor } from '../translations/localization.ts'
import type { EmailText, EmailTextWithLink, Payment } from '../translations/translations.ts'
import type { Body, Draft, DraftOptions, ShownBrand } from './draft.ts'
import { newLogin, ownerNotice, weeklySummary } from './draft-notice.ts'
import {
  customer_kinds,
  type Email,
  type EmailBrand,
  type EmailFacts,
  isNotice,
  user_kinds,
} from './email.ts'

type DraftInput = Pick<Email, 'language' | 'timezone'> &
  { [Kind in Email['kind']]: { kind: Kind; facts: EmailFacts[Kind] } }[Email['kind']]

export function draftEmail(
  input: DraftInput,
  options: DraftOptions,
  brand?: EmailBrand | undefined,
): Draft {
  const { sandbox } = options
  const email = withoutBidiControls(input)
  const localization = localizationFor(email.language)
  const { emails, labels, locale } = localization
  const body = bodyOf(email, localization, options)
  const { subject: short_subject } = bodyOf(withShortName(email), localization, options)
  const band = sandbox ? labels.sandbox : null
  const subject = oneLine(sandbox ? `[Sandbox] ${short_subject}` : short_subject)
  const name = email.facts.account_name
  const foot = user_kinds.has(email.kind) ? emails.service_foot(name) : emails.foot(name)
  const shown = customer_kinds.has(email.kind) ? shownBrand(name, localization, brand) : null
  const settings = settingsLink(email.kind, emails, options)
  const message = messageOf(email, labels)
  return { ...body, subject, band, foot, language: locale, message, brand: shown, settings }
}

function settingsLink(
  kind: Email['kind'],
  emails: Localization['emails'],
  { public_url }: DraftOptions,
): Draft['settings'] {
  if (!isNotice(kind) || public_url === undefined) return null
  return { url: `${public_url}/dashboard/settings/notifications`, text: emails.settings }
}

function shownBrand(
  name: string,
  { payment_page }: Localization,
  brand: EmailBrand | undefined,
): ShownBrand {
  const { logo = null, accent = null, support_email, support_phone, website } = brand ?? {}
  const site = website && new URL(website).host
  const contact = [support_email, support_phone, site].filter((one) => one != null)
  return { name, logo, accent, contact, contact_label: payment_page.contact }
}

function messageOf({ facts }: DraftInput, labels: Localization['labels']): Draft['message'] {
  if (!('message' in facts) || facts.message === undefined) return null
  return { label: labels.message, text: stripBidiControls(facts.message) }
}

/** User-supplied text must not reverse the direction of the translated text around it. */
function withoutBidiControls<Some extends DraftInput>(email: Some): Some {
  const { facts } = email
  const account_name = stripBidiControls(facts.account_name)
  if (!('reference' in facts) || facts.reference === null) {
    return { ...email, facts: { ...facts, account_name } }
  }
  const reference = stripBidiControls(facts.reference)
  return { ...email, facts: { ...facts, account_name, reference } }
}

// A name can have 200 characters, and a long subject is truncated. The amount often follows the
// name, and a truncated amount would be a wrong amount, so the name is shortened first.
const name_in_subject_max = 60

function withShortName<Some extends DraftInput>(email: Some): Some {
  const characters = [...email.facts.account_name]
  if (characters.length <= name_in_subject_max) return email
  const account_name = `${characters.slice(0, name_in_subject_max - 1).join('')}…`
  return { ...email, facts: { ...email.facts, account_name } }
}

function bodyOf(
  email: DraftInput,
  localization: Localization,
  { takes_cards, public_url }: DraftOptions,
): Body {
  const { emails, labels } = localization
  const name = email.facts.account_name
  const at = (time: string) => timeText(time, localization.locale, email.timezone)
  switch (email.kind) {
    case 'payment_request':
    case 'payment_reminder':
      return payment(
        paymentRequestText(email.kind, emails, takes_cards),
        email.facts,
        localization,
        [{ label: labels.pay_by, value: at(email.facts.expires_at) }],
      )
    case 'payment_receipt':
      return payment(emails.payment_receipt, email.facts, localization, [
        { label: labels.paid_at, value: at(email.facts.paid_at) },
        { label: labels.transaction, value: email.facts.transaction_id },
      ])
    case 'payment_refund':
      return refund(email.facts, localization, at(email.facts.refunded_at))
    case 'email_verification':
      return withLink(emails, emails.email_verification({ name }), email.facts.url, [
        { label: labels.account, value: name },
        { label: labels.until, value: at(email.facts.expires_at) },
      ])
    case 'email_change_notice':
      return changeNotice(email.facts, localization)
    case 'sign_up_verification':
    case 'password_reset':
      return withLink(emails, emails[email.kind]({ service: name }), email.facts.url, [
        { label: labels.account, value: email.facts.email },
        { label: labels.until, value: at(email.facts.expires_at) },
      ])
    case 'sign_up_attempt':
      return withLink(emails, emails.sign_up_attempt({ service: name }), email.facts.url, [
        { label: labels.account, value: email.facts.email },
      ])
    case 'password_changed': {
      const text = emails.password_changed({ service: name })
      const rows = [
        { label: labels.account, value: email.facts.email },
        { label: labels.changed_at, value: at(email.facts.changed_at) },
      ]
      return { ...text, amount: null, rows, link: null }
    }
    case 'invitation':
      return withLink(emails, emails.invitation({ name }), email.facts.url, [
        { label: labels.account, value: name },
        { label: labels.until, value: at(email.facts.expires_at) },
      ])
    case 'payment_received':
    case 'payment_failed':
      return ownerNotice(email.kind, email.facts, localization, public_url)
    case 'new_login':
      return newLogin(email.facts, localization, at(email.facts.logged_in_at))
    case 'weekly_summary':
      return weeklySummary(email.facts, localization, email.timezone, public_url)
    case 'dispute_opened': {
      const { due_at } = email.facts
      const due = due_at === null ? [] : [{ label: labels.respond_by, value: at(due_at) }]
      return dispute(emails.dispute_opened, email.facts, localization, due)
    }
    case 'dispute_closed':
      return dispute(emails[`dispute_${email.facts.outcome}`], email.facts, localization, [])
    case 'webhook_disabled':
      return webhookDisabled(email.facts, localization)
    case 'payout_destination_changed': {
      const { holder, iban, changed_at } = email.facts
      const rows = [
        { label: labels.account, value: name },
        { label: labels.holder, value: stripBidiControls(holder) },
        { label: 'IBAN', value: iban },
        { label: labels.changed_at, value: at(changed_at) },
      ]
      return { ...emails.payout_destination_changed({ name }), amount: null, rows, link: null }
    }
  }
}

type WritePaymentText = (payment: Payment) => EmailTextWithLink

type RequestKind = 'payment_request' | 'payment_reminder'

function paymentRequestText(
  kind: RequestKind,
  emails: Localization['emails'],
  takes_cards: boolean,
): WritePaymentText {
  return (payment) => {
    const { lead_by_transfer, ...text } = emails[kind](payment)
    return takes_cards ? text : { ...text, lead: lead_by_transfer, button: emails.how_to_pay }
  }
}

function payment(
  textFor: WritePaymentText,
  facts: EmailFacts['payment_request' | 'payment_receipt' | 'payment_refund'],
  { emails, labels, locale }: Localization,
  more: Draft['rows'],
  name_label = labels.to,
): Body {
  const { account_name: name, reference, url } = facts
  const amount = amountText(facts.amount, facts.currency, locale)
  const rows = [{ label: name_label, value: name }]
  if (reference) rows.push({ label: labels.reference, value: reference })
  const text = textFor({ name, amount })
  // "$75.00" is ambiguous: about twenty currencies use the dollar sign.
  const exact = namesCurrency(amount, facts.currency) ? amount : `${amount} ${facts.currency}`
  return { ...withLink(emails, text, url, [...rows, ...more]), amount: exact }
}

function refund(
  facts: EmailFacts['payment_refund'],
  localization: Localization,
  refunded_at: string,
): Body {
  const { labels, emails, locale } = localization
  const paid = amountText(facts.paid_amount, facts.currency, locale)
  const is_full = facts.amount === facts.paid_amount
  const textFor: WritePaymentText = (payment) =>
    emails.payment_refund({ ...payment, paid, is_full })
  const more = [
    { label: labels.paid, value: paid },
    { label: labels.refunded_at, value: refunded_at },
    { label: labels.transaction, value: facts.transaction_id },
  ]
  return payment(textFor, facts, localization, is_full ? more.slice(1) : more, labels.from)
}

function withLink(
  emails: Localization['emails'],
  text: EmailTextWithLink,
  url: string,
  rows: Draft['rows'],
): Body {
  const { button, ...rest } = text
  const link = { url, button, hint: emails.link, without_button: emails.without_button }
  return { ...rest, amount: null, rows, link }
}

function changeNotice(
  facts: EmailFacts['email_change_notice'],
  { emails, labels }: Localization,
): Body {
  const name = facts.account_name
  const text = facts.confirmed
    ? emails.email_change_confirmed({ name })
    : emails.email_change_requested({ name })
  const rows = [
    { label: labels.account, value: name },
    { label: labels.new_email, value: facts.new_email },
  ]
  return { ...text, amount: null, rows, link: null }
}

function dispute(
  textFor: (dispute: Payment) => EmailText,
  facts: EmailFacts['dispute_opened' | 'dispute_closed'],
  { labels, locale }: Localization,
  more: Draft['rows'],
): Body {
  const { account_name: name, currency } = facts
  const amount = amountText(facts.amount, currency, locale)
  const rows = [
    { label: labels.account, value: name },
    ...more,
    { label: labels.transaction, value: facts.transaction_id },
    { label: labels.dispute, value: facts.dispute_id },
  ]
  const exact = namesCurrency(amount, currency) ? amount : `${amount} ${currency}`
  return { ...textFor({ name, amount }), amount: exact, rows, link: null }
}

function webhookDisabled(
  facts: EmailFacts['webhook_disabled'],
  { emails, labels }: Localization,
): Body {
  const name = facts.account_name
  const text =
    facts.reason === 'gone' ? emails.webhook_gone({ name }) : emails.webhook_failing({ name })
  const rows = [
    { label: labels.account, value: name },
    { label: labels.endpoint, value: facts.endpoint_url },
    { label: labels.endpoint_id, value: facts.endpoint_id },
  ]
  return { ...text, amount: null, rows, link: null }
}

// Mail clients show about this many characters.
const subject_length_max = 120

/**
 * Makes text safe for a mail header. Removes control characters and line separators, which would
 * allow header injection, and bidi controls, which could reorder the text around a name.
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
