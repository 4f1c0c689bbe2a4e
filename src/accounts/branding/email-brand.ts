// What emails to the customers of an account show of it.

import type { EmailBrand } from '../../email/email.ts'
import type { Db } from '../../postgres/database.ts'
import { findAccounts } from '../find-accounts.ts'
import { accentOf } from './accent-color.ts'
import { type BrandingRow, logoUrl } from './branding.ts'
import { findBranding } from './find-branding.ts'

/** Undefined if the account does not exist. */
export function emailBrandFinder(
  db: Db,
  public_url: string,
): (account_id: string) => Promise<EmailBrand | undefined> {
  return async (account_id) => {
    const [[account], branding] = await Promise.all([
      findAccounts(db, [account_id]),
      findBranding(db, account_id),
    ])
    if (account === undefined) return undefined
    const { accent_color, support_phone } = branding
    return {
      logo: logoOf(branding, public_url),
      accent: accent_color === null ? null : accentOf(accent_color),
      support_email: branding.support_email ?? account.email,
      support_phone,
      // A suspended account shows no link: its site may deceive payers.
      website: account.status === 'active' ? branding.website : null,
    }
  }
}

function logoOf(branding: BrandingRow, public_url: string): EmailBrand['logo'] {
  const url = logoUrl(branding, public_url)
  const { logo_width: width, logo_height: height } = branding
  if (url === null || width === null || height === null) return null
  return url.startsWith('https://') ? { url, width, height } : null
}
