// What happened to a payment request and what will, the latest first.

import { reminderTime } from '../../../../../src/primitives/payment-dates.ts'
import type { FlorinEvent, ListedEmail, Payment, PaymentAttempt } from '../../api/api-types.ts'
import { useAccountId, useApiQuery, useTakesCards, useUser } from '../../api/use-florin.ts'
import { IdLink } from '../../parts/id-link.tsx'
import { humanize } from '../../parts/status.tsx'
import type { TimelineEntry } from '../../parts/timeline.tsx'
import { useAccountOption } from '../transactions/transaction-related.ts'
import { refundEntry } from '../transactions/transaction-timeline.tsx'

/** By its events, and for those who may read mail by its emails; else by what it tells itself. */
export function usePaymentTimeline(payment: Payment): TimelineEntry[] {
  const account = useAccountId()
  const { may } = useUser()
  const events = useApiQuery(
    ['events', payment.id, payment.status],
    (florin, signal) => florin.events.list({ object: payment.id, limit: 100 }, { signal }),
    { enabled: account !== undefined && may.includes('read_events') },
  )
  const emails = useApiQuery(
    ['emails', payment.id],
    (florin, signal) => florin.emails.list({ payment: payment.id, limit: 100 }, { signal }),
    { enabled: may.includes('read_emails') },
  )
  const attempts = useAttempts(payment)
  const refunds = useRefunds(payment)
  const words = wordsOf(payment, useTakesCards(), attempts)
  const told = (events.data?.data ?? []).map((event) => momentOfEvent(event, words))
  const have = new Set(told.map(({ key }) => key.split(' ')[0]))
  const own = ownMoments(payment, words).filter(({ key }) => !have.has(key))
  const mailed = (emails.data?.data ?? []).map(momentOfEmail)
  const tried = attempts.map(momentOfAttempt)
  // Of one instant, what came of a card stands above the card.
  const past = [...refunds, ...told, ...own, ...tried, ...mailed].sort(latestFirst)
  return [...comingMoments(payment, mailed), ...past]
}

function latestFirst(one: TimelineEntry, other: TimelineEntry): number {
  return one.at === other.at ? 0 : one.at < other.at ? 1 : -1
}

// While the customer tries one card after the other.
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

function momentOfAttempt({ number, created_at, outcome, decline_code, card }: PaymentAttempt) {
  const moment = { key: `attempt ${number}`, at: created_at, text: cardText(card) }
  if (outcome === 'succeeded') return { ...moment, title: 'Card accepted', tone: 'good' as const }
  const title = `Card declined: ${declineText(decline_code)}`
  return { ...moment, title, tone: 'bad' as const }
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
}

function cardText({ brand, last4 }: PaymentAttempt['card']): string {
  return `${brands[brand] ?? 'Card'} ending in ${last4}`
}

const decline_words: Record<string, string> = {
  card_declined: 'refused by the bank',
  insufficient_funds: 'insufficient funds',
  expired_card: 'the card has expired',
  incorrect_cvc: 'incorrect security code',
  processing_error: 'the bank could not be reached',
}

function declineText(code: string | null): string {
  return decline_words[code ?? 'card_declined'] ?? humanize(code!).toLowerCase()
}

/** What is told of an event of this type. */
type WordsFor = (type: string) => Omit<TimelineEntry, 'key' | 'at'>

function ownMoments({ status, created_at, updated_at }: Payment, words: WordsFor): TimelineEntry[] {
  const momentOf = (type: string, at: string) => ({ key: type, at, ...words(type) })
  const created = momentOf('payment.created', created_at)
  return status === 'pending' ? [created] : [momentOf(`payment.${status}`, updated_at), created]
}

function momentOfEvent({ id, type, created_at }: FlorinEvent, words: WordsFor): TimelineEntry {
  return { key: `${type} ${id}`, at: created_at, ...words(type) }
}

function wordsOf(payment: Payment, takes_cards: boolean, attempts: PaymentAttempt[]): WordsFor {
  const failed_text = takes_cards ? whyFailed(attempts) : failed_by_hand
  return (type) => wordsFor(type, payment, failed_text)
}

const failed_end = 'No money was taken. Send a new request to try again.'

/** The reason that matters is that of the last card. */
function whyFailed(attempts: PaymentAttempt[]): string {
  const declined = attempts.filter(({ outcome }) => outcome === 'declined')
  const last = declined.toSorted((one, other) => one.number - other.number).at(-1)
  if (last === undefined) return failed_end
  const tried = declined.length === 1 ? 'The card was' : `${declined.length} attempts were`
  const reason = declineText(last.decline_code)
  return `${tried} declined. Last reason: ${reason}. ${failed_end}`
}

function wordsFor(type: string, payment: Payment, failed_text: string): ReturnType<WordsFor> {
  const { customer_email, transaction_id, status, updated_at, expires_at } = payment
  switch (type) {
    case 'payment.created':
      // Not that the link is mailed: only who reads the emails knows what became of them.
      return { title: 'Requested', text: `From ${customer_email}.`, tone: 'waiting' }
    case 'payment.succeeded':
      return { title: 'Paid', text: <PaidBy id={transaction_id} />, tone: 'good' }
    case 'payment.failed':
      return { title: 'Failed', text: failed_text, tone: 'bad' }
    case 'payment.canceled':
      return status === 'canceled' && updated_at >= expires_at
        ? {
            title: 'Expired',
            text: 'Not paid in time. Send a new request if it is still owed.',
          }
        : { title: 'Canceled', text: 'The link no longer accepts payments.' }
    default:
      return { title: humanize(type.replace('payment.', '')) }
  }
}

// Only the operator knows what became of a bank transfer.
const failed_by_hand = 'The operator of this service marked it as failed.'

function PaidBy({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <>
      The money is in <IdLink to="/transactions/$id" id={id} />.
    </>
  )
}

const email_titles: Record<string, string> = {
  payment_request: 'Email with the payment link',
  payment_reminder: 'Email with a reminder',
  payment_receipt: 'Email with the receipt',
  payment_refund: 'Email about the refund',
}

const state_words: Record<ListedEmail['state'], string> = {
  queued: 'Waiting to be sent.',
  sent: 'Sent.',
  failed: 'The mail server rejected it.',
  suppressed: 'Not sent.',
  stored: 'Not sent: no mail server is configured.',
}

function momentOfEmail(email: ListedEmail): TimelineEntry {
  const { id, kind, state, error, created_at } = email
  return {
    key: `${kind} ${id}`,
    at: created_at,
    title: email_titles[kind] ?? humanize(kind),
    text: state === 'suppressed' ? (error ?? state_words.suppressed) : state_words[state],
    tone: state === 'failed' || state === 'suppressed' ? 'bad' : 'quiet',
  }
}

/** Whether these days are past is not said: the sandbox's clock may be ahead of the reader's. */
function comingMoments(payment: Payment, mailed: TimelineEntry[]): TimelineEntry[] {
  if (payment.status !== 'pending') return []
  const expires: TimelineEntry = {
    tone: 'coming',
    key: 'expires',
    at: payment.expires_at,
    title: 'Expires',
    text: 'Canceled if it is not paid by then.',
  }
  if (mailed.some(({ key }) => key.startsWith('payment_reminder'))) return [expires]
  const reminder: TimelineEntry = {
    tone: 'coming',
    key: 'reminder',
    at: reminderTime(new Date(payment.expires_at)).toISOString(),
    title: 'Reminder',
    text: 'We’ll email the customer if it is not paid by then.',
  }
  return [expires, reminder]
}
