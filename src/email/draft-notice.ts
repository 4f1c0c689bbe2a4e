// The texts of emails to the users of an account.

import { amountText, namesCurrency } from '../primitives/money.ts'
import { stripBidiControls } from '../primitives/text.ts'
import type { Localization } from '../translations/localization.ts'
import type { Body } from './draft.ts'
import type { EmailFacts } from './email.ts'

/** One payment with its customer, or several with their total. */
export function ownerNotice(
  kind: 'payment_received' | 'payment_failed',
  facts: EmailFacts['payment_received'],
  { emails, labels, locale }: Localization,
  public_url: string | undefined,
): Body {
  const { account_name: name, count, currency } = facts
  const amount = amountText(facts.amount, currency, locale)
  const { button, ...text } = emails[kind]({ name, amount, count })
  const rows = [{ label: labels.account, value: name }]
  if (count > 1) rows.push({ label: labels.payments, value: count.toLocaleString(locale) })
  else rows.push(...detailsOf(facts, labels))
  const exact = namesCurrency(amount, currency) ? amount : `${amount} ${currency}`
  const path = kind === 'payment_received' ? '/dashboard/transactions' : '/dashboard/payments'
  return { ...text, amount: exact, rows, link: linkTo(path, button, emails, public_url) }
}

function detailsOf(
  { customer_email, reference }: EmailFacts['payment_received'],
  labels: Localization['labels'],
): Body['rows'] {
  const rows: Body['rows'] = []
  if (customer_email !== null) rows.push({ label: labels.from, value: customer_email })
  if (reference !== null) {
    rows.push({ label: labels.reference, value: stripBidiControls(reference) })
  }
  return rows
}

export function newLogin(
  facts: EmailFacts['new_login'],
  { emails, labels }: Localization,
  logged_in_at: string,
): Body {
  const rows = [
    { label: labels.account, value: facts.email },
    { label: labels.logged_in_at, value: logged_in_at },
    { label: labels.address, value: facts.address },
  ]
  // The client sent it: it may contain anything.
  const client = stripBidiControls(facts.client)
  if (client !== '') rows.push({ label: labels.client, value: client })
  return { ...emails.new_login(), amount: null, rows, link: null }
}

export function weeklySummary(
  facts: EmailFacts['weekly_summary'],
  { emails, labels, locale }: Localization,
  timezone: string,
  public_url: string | undefined,
): Body {
  const { account_name: name, currency } = facts
  const money = (amount: number) => amountText(amount, currency, locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: timezone })
  const week = days.formatRange(new Date(facts.from), new Date(facts.to))
  const { button, ...text } = emails.weekly_summary({ name, week })
  const rows = [
    { label: labels.account, value: name },
    { label: labels.payments, value: facts.payments.toLocaleString(locale) },
    { label: labels.volume, value: money(facts.volume) },
    { label: labels.refunds, value: money(facts.refunds) },
    { label: labels.fees, value: money(facts.fees) },
    { label: labels.failed, value: facts.failed.toLocaleString(locale) },
    { label: labels.open, value: facts.open.toLocaleString(locale) },
  ]
  const link = linkTo('/dashboard', button, emails, public_url)
  return { ...text, amount: null, rows, link }
}

function linkTo(
  path: string,
  button: string,
  emails: Localization['emails'],
  public_url: string | undefined,
): Body['link'] {
  if (public_url === undefined) return null
  const { link: hint, without_button } = emails
  return { url: `${public_url}${path}`, button, hint, without_button }
}
