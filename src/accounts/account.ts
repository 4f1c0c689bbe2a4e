// An account as a row and as an API object.

import type { AccountStatus } from '../ledger/lock-row.ts'
import { timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { foldForSearch } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'

export type AccountType = 'individual' | 'business'

export interface AccountSettings {
  currency: string
  timezone: string
  language: string
}

export const defaultSettings: AccountSettings = { currency: 'USD', timezone: 'UTC', language: 'en' }

export interface AccountRow extends AccountSettings {
  id: string
  owner_id: string
  type: AccountType
  status: AccountStatus
  email: string
  name: string
  updated_at: Date
  closed_at: Date | null
}

export interface ListedAccount {
  id: string
  email: string
  name: string
  type: AccountType
  status: AccountStatus
  created_at: string
  updated_at: string
}

export interface Account extends ListedAccount {
  settings: AccountSettings
}

/** Lists omit the settings. */
export function presentListed(row: AccountRow): ListedAccount {
  return {
    id: toTypeId('account', row.id),
    email: row.email,
    name: row.name,
    type: row.type,
    status: row.status,
    created_at: toIso(timeOfUuid(row.id)),
    updated_at: toIso(row.updated_at),
  }
}

export function presentAccount(row: AccountRow): Account {
  const { currency, timezone, language } = row
  return { ...presentListed(row), settings: { currency, timezone, language } }
}

/** The text that `search` matches. */
export function searchText({ name, email }: { name: string; email: string }): string {
  return foldForSearch(`${name}\n${email}`)
}
