// What happened to a payment request and what will, the latest first.

import { remindsAt } from '../../../../../src/primitives/payment-dates.ts'
import type { FlorinEvent, ListedLetter, Payment } from '../../api/shapes.ts'
import { useAccountId, useOne, useTakesCards, useUser } from '../../api/use-florin.ts'
import { IdLink } from '../../parts/id-link.tsx'
import { capital } from '../../parts/status.tsx'
import type { Moment } from '../../parts/timeline.tsx'

/** By its events, and for those who may read mail by its letters; else by what it tells itself. */
export function usePaymentMoments(payment: Payment): Moment[] {
  const account = useAccountId()
  const { may } = useUser()
  const events = useOne(
    ['events', payment.id, payment.status],
    (florin, signal) => florin.events.list({ object: payment.id, limit: 100 }, { signal }),
    { enabled: account !== undefined && may.includes('read_events') },
  )
  const letters = useOne(
    ['mail', payment.id],
    (florin, signal) => florin.mail.list({ payment: payment.id, limit: 100 }, { signal }),
    { enabled: may.includes('read_mail') },
  )
  const words = wordsOf(payment, useTakesCards())
  const told = (events.data?.data ?? []).map((event) => momentOfEvent(event, words))
  const have = new Set(told.map(({ key }) => key.split(' ')[0]))
  const own = ownMoments(payment, words).filter(({ key }) => !have.has(key))
  const mailed = (letters.data?.data ?? []).map(momentOfLetter)
  const past = [...told, ...own, ...mailed].sort((one, other) => (one.at < other.at ? 1 : -1))
  return [...comingMoments(payment, mailed), ...past]
}

/** What is told of an event of this type. */
type WordsFor = (type: string) => Omit<Moment, 'key' | 'at'>

function ownMoments({ status, created_at, updated_at }: Payment, words: WordsFor): Moment[] {
  const momentOf = (type: string, at: string) => ({ key: type, at, ...words(type) })
  const created = momentOf('payment.created', created_at)
  return status === 'pending' ? [created] : [momentOf(`payment.${status}`, updated_at), created]
}

function momentOfEvent({ id, type, created_at }: FlorinEvent, words: WordsFor): Moment {
  return { key: `${type} ${id}`, at: created_at, ...words(type) }
}

function wordsOf(payment: Payment, takes_cards: boolean): WordsFor {
  return (type) => wordsFor(type, payment, takes_cards)
}

function wordsFor(type: string, payment: Payment, takes_cards: boolean): ReturnType<WordsFor> {
  const { customer_email, transaction_id, status, updated_at, expires_at } = payment
  switch (type) {
    case 'payment.created':
      // Not that the link is mailed: only who reads the letters knows what became of them.
      return { title: 'Requested', text: `From ${customer_email}.`, tone: 'waiting' }
    case 'payment.succeeded':
      return { title: 'Paid', text: <PaidBy id={transaction_id} />, tone: 'good' }
    case 'payment.failed':
      return { title: 'Failed', text: takes_cards ? failed_card : failed_by_hand, tone: 'bad' }
    case 'payment.canceled':
      return status === 'canceled' && updated_at >= expires_at
        ? {
            title: 'Expired',
            text: 'Nobody has paid in time. Request it anew if it is still owed.',
          }
        : { title: 'Canceled', text: 'The link no longer accepts payments.' }
    default:
      return { title: capital(type.replace('payment.', '')) }
  }
}

const failed_card = 'No money was taken.'

// What came by transfer, and what became of it, is known to them alone.
const failed_by_hand = 'Whoever runs this service has marked it as failed: they await no money.'

function PaidBy({ id }: { id: string | null }) {
  if (id === null) return null
  return (
    <>
      The money is in <IdLink to="/transactions/$id" id={id} />.
    </>
  )
}

const letter_words: Record<string, string> = {
  payment_request: 'Letter with the link',
  payment_reminder: 'Letter with a reminder',
  payment_receipt: 'Letter with the receipt',
}

const state_words: Record<ListedLetter['state'], string> = {
  queued: 'Waits for the mail server.',
  sent: 'The mail server has taken it.',
  failed: 'The mail server has refused it.',
  withheld: 'Withheld: it was not sent.',
  kept: 'Kept here: no mail server is set.',
}

function momentOfLetter(letter: ListedLetter): Moment {
  const { id, kind, state, error, created_at } = letter
  return {
    key: `${kind} ${id}`,
    at: created_at,
    title: letter_words[kind] ?? capital(kind),
    text: state === 'withheld' ? (error ?? state_words.withheld) : state_words[state],
    tone: state === 'failed' || state === 'withheld' ? 'bad' : 'quiet',
  }
}

/** Whether these days are past is not said: the sandbox's clock may be ahead of the reader's. */
function comingMoments(payment: Payment, mailed: Moment[]): Moment[] {
  if (payment.status !== 'pending') return []
  const expires: Moment = {
    tone: 'coming',
    key: 'expires',
    at: payment.expires_at,
    title: 'Expires',
    text: 'Canceled if nobody has paid by then.',
  }
  if (mailed.some(({ key }) => key.startsWith('payment_reminder'))) return [expires]
  const reminder: Moment = {
    tone: 'coming',
    key: 'reminder',
    at: remindsAt(new Date(payment.expires_at)).toISOString(),
    title: 'Reminder',
    text: 'A letter to the customer, if nobody has paid by then.',
  }
  return [expires, reminder]
}
