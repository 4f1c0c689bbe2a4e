// A second factor as rows and as an API object. Secrets and keys never leave this folder.

import { timeOfUuid, toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'

interface CommonColumns {
  user_id: string
  id: string
  name: string
  last_used_at: Date | null
}

export interface TotpRow extends CommonColumns {
  kind: 'totp'
  /** Null while the authenticator app is being set up. */
  confirmed_at: Date | null
  sealed_secret: Buffer
  key_id: string
  last_step: number | null
}

export interface PasskeyRow extends CommonColumns {
  kind: 'passkey'
  confirmed_at: Date
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[]
}

export type FactorRow = TotpRow | PasskeyRow

export interface Factor {
  id: string
  kind: 'totp' | 'passkey'
  name: string
  created_at: string
  last_used_at: string | null
}

export function presentFactor(row: FactorRow): Factor {
  return {
    id: toTypeId('factor', row.id),
    kind: row.kind,
    name: row.name,
    created_at: toIso(timeOfUuid(row.id)),
    last_used_at: row.last_used_at && toIso(row.last_used_at),
  }
}

/** A factor that is being set up does not count. */
export function isConfirmed(row: FactorRow): boolean {
  return row.confirmed_at !== null
}

// More than the devices of one person. The limit bounds what a login reads.
export const factors_max = 20
