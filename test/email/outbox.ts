// Emails for tests, and the way they go.

import assert from 'node:assert/strict'
import { newEmailRotation } from '../../src/email/claim-emails.ts'
import { enableEmailDelivery } from '../../src/email/delivery-switch.ts'
import type { Email, EmailFacts, EmailKind } from '../../src/email/email.ts'
import { queueEmails } from '../../src/email/queue-emails.ts'
import { type EmailSenderPace, type EmailSenderParts, sendDue } from '../../src/email/send-due.ts'
import { openSmtpTransport, type SmtpTransport } from '../../src/email/smtp-transport.ts'
import { findSuppressionReason } from '../../src/payments/email-suppression.ts'
import type { Db } from '../../src/postgres/database.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { parseMailbox, parseMailServer } from '../../src/primitives/mail-server.ts'
import type { TestSmtpServer } from '../support/smtp-server.ts'

export const from = { name: 'Acme Payments', address: 'pay@example.com' }

export interface ReceiptOverrides {
  cause?: string
  account_id?: string
  to?: string
  language?: string
  facts?: Partial<EmailFacts['payment_receipt']>
}

let number = 0

/** A receipt, unless told otherwise in nothing but its facts. */
export async function queueReceipt(db: Db, overrides: ReceiptOverrides = {}): Promise<string> {
  number += 1
  const cause = overrides.cause ?? `receipt ${number}`
  const to = overrides.to ?? `customer-${number}@example.com`
  await db.transaction(async (tx) =>
    queueEmails(tx, [
      {
        cause,
        account_id: overrides.account_id ?? newUuid(Date.now()),
        to,
        language: overrides.language ?? 'en',
        timezone: 'Europe/Berlin',
        kind: 'payment_receipt',
        facts: {
          account_name: 'Acme Ltd',
          amount: 7500,
          currency: 'USD',
          reference: 'Invoice 2026-114',
          url: 'https://pay.example.com/pay/x',
          paid_at: '2026-11-15T10:00:00.000Z',
          transaction_id: 'txn_01h455vb4pex5vsknk084sn02q',
          ...overrides.facts,
        },
      },
    ]),
  )
  await roundDown(db, cause)
  return cause
}

/**
 * The column has whole milliseconds, so that what is due now may be written as due half of one
 * later. No worker minds; a test that sends in the next breath would find nothing to send.
 */
async function roundDown(db: Db, cause: string): Promise<void> {
  await db.pool.query(
    `update emails set next_at = next_at - interval '1 millisecond'
     where cause = $1 and state = 'queued'`,
    [cause],
  )
}

/** Facts of every kind of email, with this text wherever somebody outside may choose it. */
export function factsWithText(text: string): EmailFacts {
  const url = 'https://pay.example.com/pay/x'
  const expires_at = '2126-12-15T22:30:00.000Z'
  const payment = { account_name: text, amount: 7500, currency: 'USD', reference: text, url }
  const transaction_id = 'txn_01h455vb4pex5vsknk084sn02q'
  const endpoint_id = 'we_01h455vb4pex5vsknk084sn02q'
  return {
    payment_request: { ...payment, expires_at },
    payment_reminder: { ...payment, expires_at },
    payment_receipt: { ...payment, paid_at: '2026-11-15T10:00:00.000Z', transaction_id },
    payment_refund: {
      ...payment,
      paid_amount: 7500,
      refunded_at: '2026-11-15T10:00:00.000Z',
      transaction_id,
    },
    email_verification: { account_name: text, url, expires_at },
    email_change_notice: { account_name: text, new_email: text, confirmed: true },
    webhook_disabled: { account_name: text, endpoint_url: text, endpoint_id, reason: 'gone' },
  }
}

/** One email of this kind; its recipient. */
export async function queueWithText(db: Db, kind: EmailKind, text: string): Promise<string> {
  const to = `customer-${number + 1}@example.com`
  await queueOne(db, { kind, to, account_id: newUuid(Date.now()), text })
  return to
}

/** One email of this kind; its cause. */
export async function queueOne(
  db: Db,
  { kind, text = '', ...rest }: { kind: EmailKind; to: string; account_id: string; text?: string },
): Promise<string> {
  number += 1
  const cause = `${kind} ${number}`
  const envelope = { ...rest, cause, language: 'en', timezone: 'UTC' }
  const email = { ...envelope, kind, facts: factsWithText(text)[kind] } as Email
  await db.transaction(async (tx) => queueEmails(tx, [email]))
  await roundDown(db, cause)
  return cause
}

export function smtpTransportFor(server: Pick<TestSmtpServer, 'url'>): SmtpTransport {
  const way = parseMailServer(server.url)
  assert.ok(way)
  return openSmtpTransport(way, parseMailbox('Acme Payments <pay@example.com>')!)
}

const rotation = newEmailRotation()

/** One round of one worker. */
export async function sendRound(
  db: Db,
  transport: SmtpTransport,
  pace?: EmailSenderPace,
  recipients_max = 10_000,
): Promise<number> {
  await enableEmailDelivery(db)
  const { signal } = new AbortController()
  const findSuppression: EmailSenderParts['findSuppression'] = (email) =>
    findSuppressionReason(db, email)
  const options = { sandbox: false, takes_cards: true, recipients_max, ...(pace && { pace }) }
  const parts = { ...options, db, transport, rotation, findSuppression }
  const { done } = await sendDue(parts, { signal })
  return done
}

export interface EmailStatus {
  state: string
  attempts: number
  error: string | null
  /** Seconds until it is tried again. */
  wait_s: number | null
  sent: boolean
}

export async function emailStatusOf(db: Db, cause: string): Promise<EmailStatus> {
  const { rows } = await db.pool.query(
    `select state, attempts, error, sent_at is not null as sent,
       round(extract(epoch from next_at - now()))::int as wait_s
     from emails where cause = $1`,
    [cause],
  )
  return rows[0]
}

/** As if the wait were over. */
export async function makeDue(db: Db): Promise<void> {
  await db.pool.query(
    `update emails set next_at = now() - interval '1 second' where state = 'queued'`,
  )
}
