// The past and upcoming steps of a payment request, newest first.

import type {
  FlorinEvent,
  ListedEmail,
  Payment,
  PaymentAttempt,
  PaymentEmail,
  PaymentRequest,
} from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useTakesCards, useUser } from '../../api/use-florin.ts'
import { IdLink } from '../../parts/id-link.tsx'
import { humanize } from '../../parts/status.tsx'
import type { TimelineEntry } from '../../parts/timeline.tsx'
import { cardText } from '../transactions/provider-text.ts'
import { useAccountOption } from '../transactions/transaction-related.ts'
import { refundEntry } from '../transactions/transaction-timeline.tsx'

/** Built from events and emails; without events, from the payment itself. */
export function usePaymentTimeline(
  payment: Payment,
  options: PaymentRequest | undefined,
): TimelineEntry[] {
  const account = useAccountId()
  const { may } = useUser()
  const events = useApiQuery(
    ['events', payment.id, payment.status],
    (florin, signal) => florin.events.list({ object: payment.id, limit: 100 }, { signal }),
    { enabled: account !== undefined && may.includes('read_events') },
  )
  const emails = useEmails(payment, options?.sends)
  const attempts = useAttempts(payment)
  const refunds = useRefunds(payment)
  const textOf = textsFor(payment, useTakesCards(), attempts)
  const from_events = (events.data?.data ?? []).map((event) => eventEntry(event, textOf))
  const types = new Set(from_events.map(({ key }) => key.split(' ')[0]))
  const own = ownEntries(payment, textOf).filter(({ key }) => !types.has(key))
  const from_emails = emails.map(emailEntry)
  const from_attempts = attempts.map(attemptEntry)
  // The sort is stable: at equal times the payment's outcome is above the card attempt.
  const past = [...refunds, ...from_events, ...own, ...from_attempts, ...from_emails]
  return [...upcomingEntries(payment, options, from_emails), ...past.sort(latestFirst)]
}

function latestFirst(one: TimelineEntry, other: TimelineEntry): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1
}

type ShownEmail = PaymentEmail & Partial<Pick<ListedEmail, 'id' | 'error'>>

// Emails are sent within seconds.
const emails_ms = 10_000

/** Admins also see why an email was not sent. */
function useEmails({ id, status, account_id }: Payment, sends: number | undefined): ShownEmail[] {
  const on = useAccountOption({ account_id })
  const is_admin = useUser().may.includes('read_emails')
  const emails = useApiQuery(
    ['emails', id, status, sends],
    async (florin, signal): Promise<ShownEmail[]> => {
      const options = { signal, ...on }
      if (!is_admin) return (await florin.payments.listEmails(id, options)).data
      return (await florin.emails.list({ payment: id, limit: 100 }, options)).data
    },
    status === 'pending' ? { refresh_ms: emails_ms } : {},
  )
  return emails.data ?? []
}

// Polls for new card attempts while the payment is pending.
const attempts_ms = 10_000

function useAttempts({ id, status, account_id }: Payment): PaymentAttempt[] {
  const on = useAccountOption({ account_id })
  const options = status === 'pending' ? { refresh_ms: attempts_ms } : {}
  const attempts = useApiQuery(
    ['payments', id, 'attempts', status],
    async (florin, signal) => (await florin.payments.listAttempts(id, { signal, ...on })).data,
    options,
  )
  return attempts.data ?? []
}

function useRefunds({ transaction_id, account_id, refunded_amount }: Payment): TimelineEntry[] {
  const on = useAccountOption({ account_id })
  const refunds = useApiQuery(
    ['transactions', 'refunds of', transaction_id, refunded_amount],
    async (florin, signal) =>
      (await florin.transactions.listRefunds(transaction_id!, { limit: 100 }, { signal, ...on }))
        .data,
    { enabled: transaction_id !== null },
  )
  return (refunds.data ?? []).map(refundEntry)
}

function attemptEntry({ number, created_at, outcome, decline_code, card }: PaymentAttempt) {
  const entry = { key: `attempt ${number}`, at: created_at, text: cardText(card) }
  if (outcome === 'succeeded') return { ...entry, title: 'Card accepted', tone: 'good' as const }
  const title = `Card declined: ${declineText(decline_code)}`
  return { ...entry, title, tone: 'bad' as const }
}

const decline_reasons: Record<string, string> = {
  card_declined: 'refused by the bank',
  insufficient_funds: 'insufficient funds',
  expired_card: 'the card has expired',
  incorrect_cvc: 'incorrect security code',
  processing_error: 'the bank could not be reached',
  authentication_failed: 'not confirmed with the bank',
}

function declineText(code: string | null): string {
  return decline_reasons[code ?? 'card_declined'] ?? humanize(code!).toLowerCase()
}

/** Title, text and tone for an event type. */
type EventText = (type: string) => Omit<TimelineEntry, 'key' | 'at'>

function ownEntries(
  { status, created_at, updated_at }: Payment,
  textOf: EventText,
): TimelineEntry[] {
  const entry = (type: string, at: string) => ({ key: type, at, ...textOf(type) })
  const created = entry('payment.created', created_at)
  return status === 'pending' ? [created] : [entry(`payment.${status}`, updated_at), created]
}

function eventEntry({ id, type, created_at }: FlorinEvent, textOf: EventText): TimelineEntry {
  return { key: `${type} ${id}`, at: created_at, ...textOf(type) }
}

function textsFor(payment: Payment, takes_cards: boolean, attempts: PaymentAttempt[]): EventText {
  const failed_text = takes_cards ? whyFailed(attempts) : failed_manually
  return (type) => eventText(type, payment, failed_text)
}

const failed_end = 'The customer was not charged. Send a new request to try again.'

/** Gives the reason of the last declined card. */
function whyFailed(attempts: PaymentAttempt[]): string {
  const declined = attempts.filter(({ outcome }) => outcome === 'declined')
  const last = declined.toSorted((one, other) => one.number - other.number).at(-1)
  if (last === undefined) return failed_end
  const subject = declined.length === 1 ? 'The card was' : `${declined.length} attempts were`
  const reason = declineText(last.decline_code)
  return `${subject} declined. Last reason: ${reason}. ${failed_end}`
}

function eventText(type: string, payment: Payment, failed_text: string): ReturnType<EventText> {
  const { customer_email, transaction_id, status, updated_at, expires_at } = payment
  switch (type) {
    case 'payment.created':
      // Does not claim that the link was emailed: that is known only from the emails.
      return { title: 'Requested', text: `From ${customer_email}.`, tone: 'waiting' }
    case 'payment.succeeded':
      return { title: 'Paid', text: <PaidBy id={transaction_id} />, tone: 'good' }
    case 'payment.failed':
      return { title: 'Failed', text: failed_text, tone: 'bad' }
    case 'payment.canceled':
      return status === 'canceled' && updated_at >= expires_at
        ? {
            title: 'Expired',
            text: 'Not paid in time. Send a new request if you still expect this payment.',
          }
        : { title: 'Canceled', text: 'The link no longer accepts payments.' }
    default:
      return { title: humanize(type.replace('payment.', '')) }
  }
}

// Bank transfers are settled by the operator.
const failed_manually = 'The operator of this service marked it as failed.'

function PaidBy({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <>
      Transaction <IdLink to="/transactions/$id" id={id} />
    </>
  )
}

const email_titles: Record<string, string> = {
  payment_request: 'Payment link email',
  payment_reminder: 'Reminder email',
  payment_receipt: 'Receipt email',
  payment_refund: 'Refund email',
}

const email_states: Record<ListedEmail['state'], string> = {
  queued: 'Waiting to be sent.',
  sent: 'Sent.',
  failed: 'The mail server rejected it. Check the address of the customer.',
  suppressed: 'Not sent: over a sending limit, or the request had ended before.',
  stored: 'Not sent: no mail server is configured.',
}

function emailEntry(email: ShownEmail): TimelineEntry {
  const { id, kind, state, error, created_at } = email
  return {
    key: `${kind} ${id ?? created_at}`,
    at: created_at,
    title: email_titles[kind] ?? humanize(kind),
    text: state === 'suppressed' ? (error ?? email_states.suppressed) : email_states[state],
    tone: state === 'failed' || state === 'suppressed' ? 'bad' : 'quiet',
  }
}

/** Does not compare with the current time: the sandbox clock may be ahead of the browser's. */
function upcomingEntries(
  payment: Payment,
  options: PaymentRequest | undefined,
  emails: TimelineEntry[],
): TimelineEntry[] {
  if (payment.status !== 'pending') return []
  const expires: TimelineEntry = {
    tone: 'coming',
    key: 'expires',
    at: payment.expires_at,
    title: 'Expires',
    text: 'Canceled if it is not paid by then.',
  }
  if (emails.some(({ key }) => key.startsWith('payment_reminder'))) return [expires]
  const at = options?.reminder_at ?? null
  if (at === null) return [expires]
  const reminder: TimelineEntry = {
    tone: 'coming',
    key: 'reminder',
    at,
    title: 'Reminder',
    text: 'We’ll email the customer if it is not paid by then.',
  }
  return [expires, reminder]
}
