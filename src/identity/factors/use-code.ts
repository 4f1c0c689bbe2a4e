// Checks a code that replaces or completes a password: of the authenticator app, or a recovery
// code. Each works once, because the user's row is locked.

import { type Actor, recordAuditEntry } from '../../audit/record-audit-entry.ts'
import type { Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { UserRow } from '../users/user.ts'
import { type FactorRow, isConfirmed, type TotpRow } from './factor.ts'
import { selectFactors, updateTotp } from './queries.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import type { SecretKeys } from './secret-keys.ts'
import { findStep } from './totp.ts'

/** The factors that a login needs. None: a password is enough. */
export async function listConfirmedFactors(tx: Tx, user_id: string): Promise<FactorRow[]> {
  return (await selectFactors(tx, user_id)).filter(isConfirmed)
}

/** Requires the lock of the user's row. Returns whether the code was right, and is now used. */
export async function useCode(
  tx: Tx,
  keys: SecretKeys,
  user: UserRow,
  factors: FactorRow[],
  code: string,
): Promise<boolean> {
  const totp = factors.find((factor) => factor.kind === 'totp')
  if (/^[\d ]*$/.test(code)) return totp !== undefined && useTotpCode(tx, keys, totp, code)
  const used = await useRecoveryCode(tx, user.id, code)
  if (used) await recordFactorChange(tx, actorOfLogin(user), user, 'recovery_code_used')
  return used
}

/** Stores the step of the code. Also encrypts the secret with the newest key. */
export async function useTotpCode(
  tx: Tx,
  keys: SecretKeys,
  row: TotpRow,
  code: string,
): Promise<boolean> {
  const secret = keys.unseal(row, row)
  if (secret === undefined) throw lostKey()
  const at = new Date()
  const last_step = findStep(secret, code, at, row.last_step)
  if (last_step === undefined) return false
  const sealed = row.key_id === keys.newest_id ? row : keys.seal(row, secret)
  const { sealed_secret, key_id } = sealed
  const confirmed_at = row.confirmed_at ?? at
  await updateTotp(tx, { ...row, sealed_secret, key_id, confirmed_at, last_used_at: at, last_step })
  return true
}

function lostKey(): Refusal {
  return new Refusal(
    'unavailable',
    'The server cannot check codes of this authenticator app: FLORIN_SECRET_KEY lacks the key ' +
      'that its secret is encrypted with. Use a recovery code or a passkey, or contact the ' +
      'operator.',
  )
}

type FactorChange =
  | 'factor_added'
  | 'factor_removed'
  | 'factors_reset'
  | 'recovery_codes_created'
  | 'recovery_code_used'

/** Security-relevant, so every user's changes are audited, unlike other changes of a user. */
export async function recordFactorChange(
  tx: Tx,
  actor: Actor,
  user: { id: string; account_id: string | null },
  change: FactorChange,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { id: object_id, account_id } = user
  await recordAuditEntry(tx, actor, { action: `user.${change}`, object_id, account_id, details })
}

function actorOfLogin({ id, role }: UserRow): Actor {
  return { role, user_id: id, request_id: undefined }
}
