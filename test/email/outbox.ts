// Test helpers that queue emails and send them.

import assert from 'node:assert/strict'
import { emailBrandFinder } from '../../src/accounts/branding/email-brand.ts'
import { newEmailRotation } from '../../src/email/claim-emails.ts'
import type { Email, EmailFacts, EmailKind } from '../../src/email/email.ts'
import { enableEmailDelivery, queueEmails } from '../../src/email/outbox.ts'
import { type EmailSenderPace, type EmailSenderParts, sendDue } from '../../src/email/send-due.ts'
import { openSmtpTransport, type SmtpTransport } from '../../src/email/smtp-transport.ts'
import { findSuppressionReason } from '../../src/payments/emails.ts'
import type { Db } from '../../src/postgres/database.ts'
import { parseMailbox } from '../../src/primitives/email-address.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { parseMailServer } from '../../src/server-urls.ts'
import type { TestSmtpServer } from '../support/smtp-server.ts'

interface ReceiptOverrides {
  cause?: string
  account_id?: string
  to?: string
  language?: string
  facts?: Partial<EmailFacts['payment_receipt']>
}

let number = 0

/** Queues a receipt and returns its cause. */
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
  await backdate(db, cause)
  return cause
}

/**
 * `next_at` is rounded to milliseconds, so a new email can be due up to half a millisecond in the
 * future. A test that sends immediately would find nothing to send.
 */
async function backdate(db: Db, cause: string): Promise<void> {
  await db.pool.query(
    `update emails set next_at = now() - interval '1 millisecond'
     where cause = $1 and state = 'queued'`,
    [cause],
  )
}

/** Facts of every kind of email, with this text in every user-supplied field. */
export function factsWithText(text: string): EmailFacts {
  const url = 'https://pay.example.com/pay/x'
  const expires_at = '2126-12-15T22:30:00.000Z'
  const payment = { account_name: text, amount: 7500, currency: 'USD', reference: text, url }
  const transaction_id = 'txn_01h455vb4pex5vsknk084sn02q'
  const endpoint_id = 'we_01h455vb4pex5vsknk084sn02q'
  const dispute_id = 'dsp_01h455vb4pex5vsknk084sn02q'
  const money = { amount: 7500, currency: 'USD' }
  const user = { account_name: text, email: text, url }
  const dispute = { account_name: text, ...money, dispute_id, transaction_id }
  const notice = {
    account_name: text,
    amount: 100,
    currency: 'USD',
    customer_email: 'c@example.com',
    reference: text,
  }
  const login = { account_name: text, email: 'ann@example.com', logged_in_at: expires_at }
  const counts = { payments: 3, volume: 300, refunds: 100, fees: 12, failed: 1, open: 2 }
  const week = { currency: 'USD', from: expires_at, to: expires_at, ...counts }
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
    sign_up_verification: { ...user, expires_at },
    sign_up_attempt: user,
    password_reset: { ...user, expires_at },
    password_changed: { ...user, changed_at: '2026-11-15T10:00:00.000Z' },
    invitation: { account_name: text, url, expires_at },
    payment_received: { ...notice, count: 1 },
    payment_failed: { ...notice, count: 3 },
    new_login: { ...login, address: text, client: text },
    weekly_summary: { ...week, account_name: text },
    dispute_opened: { ...dispute, due_at: expires_at },
    dispute_closed: { ...dispute, outcome: 'won' },
    webhook_disabled: { account_name: text, endpoint_url: text, endpoint_id, reason: 'gone' },
    payout_destination_changed: {
      account_name: text,
      holder: text,
      iban: 'DE…3000',
      changed_at: expires_at,
    },
  }
}

/** Queues an email of this kind and returns its recipient. */
export async function queueWithText(db: Db, kind: EmailKind, text: string): Promise<string> {
  const to = `customer-${number + 1}@example.com`
  await queueOne(db, { kind, to, account_id: newUuid(Date.now()), text })
  return to
}

/** Queues an email of this kind and returns its cause. */
export async function queueOne(
  db: Db,
  { kind, text = '', ...rest }: { kind: EmailKind; to: string; account_id: string; text?: string },
): Promise<string> {
  number += 1
  const cause = `${kind} ${number}`
  const envelope = { ...rest, cause, language: 'en', timezone: 'UTC' }
  const email = { ...envelope, kind, facts: factsWithText(text)[kind] } as Email
  await db.transaction(async (tx) => queueEmails(tx, [email]))
  await backdate(db, cause)
  return cause
}

export function smtpTransportFor(server: Pick<TestSmtpServer, 'url'>): SmtpTransport {
  const mail_server = parseMailServer(server.url)
  assert.ok(mail_server)
  return openSmtpTransport(mail_server, parseMailbox('Acme Payments <pay@example.com>')!)
}

const rotation = newEmailRotation()

/** Runs one round of one worker. Returns the number of emails processed. */
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
  const findBrand = emailBrandFinder(db, 'https://pay.example.com')
  const parts = { ...options, db, transport, rotation, findSuppression, findBrand }
  const { done } = await sendDue(parts, { signal })
  return done
}

interface EmailStatus {
  state: string
  attempts: number
  error: string | null
  /** Seconds until the next attempt. */
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

/** Makes all queued emails due. */
export async function makeDue(db: Db): Promise<void> {
  await db.pool.query(
    `update emails set next_at = now() - interval '1 second' where state = 'queued'`,
  )
}
