// A reusable payment link as a row and as JSON.

import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { toIso } from '../primitives/time.ts'

export interface LinkRow {
  account_id: string
  id: string
  slug: string
  title: string
  currency: string
  /** Null if the payer enters the amount, between `amount_min` and `amount_max`. */
  amount: number | null
  amount_min: number | null
  amount_max: number | null
  amount_suggested: number | null
  max_uses: number | null
  expires_at: Date | null
  active: boolean
  /** JSON text; null is {}. */
  metadata: string | null
  updated_at: Date
}

export interface Uses {
  reserved: number
  paid: number
}

export const no_uses: Uses = { reserved: 0, paid: 0 }

/** The page of the link. Based on the configured URL, never on the Host header. */
export function linkUrl({ slug }: { slug: string }, public_url: string): string {
  return `${public_url}/l/${slug}`
}

export function presentLink(row: LinkRow, { reserved, paid }: Uses, public_url: string) {
  return {
    id: toTypeId('payment_link', row.id),
    account_id: toTypeId('account', row.account_id),
    url: linkUrl(row, public_url),
    title: row.title,
    currency: row.currency,
    amount: row.amount,
    amount_min: row.amount_min,
    amount_max: row.amount_max,
    amount_suggested: row.amount_suggested,
    max_uses: row.max_uses,
    uses: paid,
    reserved,
    expires_at: row.expires_at === null ? null : toIso(row.expires_at),
    active: row.active,
    metadata: JSON.parse(row.metadata ?? '{}') as Record<string, unknown>,
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

export type PaymentLink = ReturnType<typeof presentLink>

/** Why a link accepts no payments now; undefined if it does. */
export type LinkEnd = 'ended' | 'used_up' | 'unavailable'

export function linkEnd(
  row: LinkRow,
  { reserved, paid }: Uses,
  account: { status: string; currency: string },
  now: Date,
): LinkEnd | undefined {
  if (account.status !== 'active') return 'unavailable'
  if (!row.active || row.currency !== account.currency) return 'ended'
  if (row.expires_at !== null && row.expires_at <= now) return 'ended'
  if (row.max_uses === null || reserved + paid < row.max_uses) return undefined
  return paid < row.max_uses ? 'used_up' : 'ended'
}
