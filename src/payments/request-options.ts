// The options of a payment request: when it expires, a message, the reminder, and whether the link
// is emailed.

import { expires_after_ms, expires_max_ms, reminderTime } from '../primitives/period.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isBlank, quote } from '../primitives/text.ts'
import { instantOfWallTime, parseTimestamp, toIso } from '../primitives/time.ts'
import type { CreateCommand, RequestOptions } from './commands.ts'
import type { PaymentSet } from './payment-set.ts'

export const message_length_max = 500

/** 29: on the day after the request at the latest. */
export const reminder_days_max = 29

interface OptionsInput {
  expires_at?: string | null
  message?: string | null
  reminder_days?: number | null
  email?: boolean
}

export const no_options: RequestOptions = {
  expires: undefined,
  message: null,
  reminder_days: null,
  is_emailed: true,
  link_id: null,
  form_key: null,
}

export function readOptions(input: OptionsInput): RequestOptions {
  const { expires_at, message, email: is_emailed = true } = input
  return {
    expires: expires_at == null ? undefined : readExpiry(expires_at),
    message: message == null || isBlank(message) ? null : message,
    // A customer who gets the link in another way expects no email before the receipt.
    reminder_days: input.reminder_days ?? (is_emailed ? null : 0),
    is_emailed,
    link_id: null,
    form_key: null,
  }
}

// A date has no time of day, which the account's time zone decides.
function readExpiry(text: string): RequestOptions['expires'] {
  if (isDate(text)) return { date: text }
  const at = parseTimestamp(text, 'first')
  if (at === undefined) throw new Error('expires_at was not validated')
  return { at }
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text)
}

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

// A payer at a provider's page needs some minutes, and a shorter time is most likely a mistake.
const expires_min_ms = hour_ms

/** When the request of this command expires; it is created at `at`. */
export function expiryFor(
  set: Pick<PaymentSet, 'accounts'>,
  { account_id, options }: CreateCommand,
  at: Date,
): Date {
  const { expires, reminder_days = null } = options ?? no_options
  if (expires === undefined) return new Date(at.getTime() + expires_after_ms)
  if ('after_ms' in expires) return new Date(at.getTime() + expires.after_ms)
  const expires_at = 'at' in expires ? expires.at : endOfDay(expires.date, zoneOf(set, account_id))
  const earliest = new Date(at.getTime() + expires_min_ms)
  const latest = new Date(at.getTime() + expires_max_ms)
  if (expires_at < earliest || expires_at > latest) {
    throw new Refusal(
      'invalid_request',
      `"expires_at" must be from ${toIso(earliest)} to ${toIso(latest)}: an hour to 31 days ` +
        `ahead; got ${quote(toIso(expires_at))}.`,
    )
  }
  requireReminderBefore(expires_at, reminder_days, at)
  return expires_at
}

function requireReminderBefore(expires_at: Date, days: number | null, at: Date): void {
  if (days === null || days === 0 || reminderTime(expires_at, days, at) !== null) return
  throw new Refusal(
    'invalid_request',
    `"reminder_days" must be fewer days than the request is open; got ${days} for a request ` +
      `that expires at ${toIso(expires_at)}. Send 0 for no reminder.`,
  )
}

/** A date such as 2026-12-24 ends with its day in the account's time zone. */
export function endOfDay(date: string, zone: string): Date {
  return new Date(instantOfWallTime(Date.parse(date) + day_ms - 1_000, zone))
}

function zoneOf({ accounts }: Pick<PaymentSet, 'accounts'>, account_id: string): string {
  const account = accounts.get(account_id)
  if (account === undefined) throw new Error(`account ${account_id} was not loaded`)
  return account.timezone
}
