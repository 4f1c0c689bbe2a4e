// The branding of an account as a row and as an API object.

import { toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'

/** What the account sets itself. */
export interface BrandingFields {
  accent_color: string | null
  support_email: string | null
  support_phone: string | null
  website: string | null
  terms_url: string | null
  statement_name: string | null
  payment_instructions: string | null
}

export interface BrandingRow extends BrandingFields {
  account_id: string
  logo_hash: string | null
  /** In pixels; null without a logo. */
  logo_width: number | null
  logo_height: number | null
  /** Null until the first change. */
  updated_at: Date | null
}

export interface Branding extends BrandingFields {
  account_id: string
  logo_url: string | null
  updated_at: string | null
}

export const no_logo = { logo_hash: null, logo_width: null, logo_height: null }

export function noBranding(account_id: string): BrandingRow {
  return {
    account_id,
    ...no_logo,
    accent_color: null,
    support_email: null,
    support_phone: null,
    website: null,
    terms_url: null,
    statement_name: null,
    payment_instructions: null,
    updated_at: null,
  }
}

export function presentBranding(row: BrandingRow, public_url: string): Branding {
  const { account_id, logo_hash, logo_width, logo_height, updated_at, ...fields } = row
  return {
    account_id: toTypeId('account', account_id),
    logo_url: logoUrl(row, public_url),
    ...fields,
    updated_at: updated_at && toIso(updated_at),
  }
}

/** Under a base URL, or a path. Null without a logo. */
export function logoUrl(
  { account_id, logo_hash }: Pick<BrandingRow, 'account_id' | 'logo_hash'>,
  base: string,
): string | null {
  return logo_hash === null ? null : `${base}/brand/${toTypeId('account', account_id)}/${logo_hash}`
}
