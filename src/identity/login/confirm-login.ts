// Confirms that the user of a session is present: their password, a code or a passkey renews the
// login, so that changes with step-up are possible for another ten minutes.

import type { Db, Tx } from '../../postgres/database.ts'
import { canonicalEmail } from '../../primitives/email-address.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { checkPasskey, type PasskeySite, unknownPasskey, usePasskey } from '../factors/passkeys.ts'
import type { SecretKeys } from '../factors/secret-keys.ts'
import { listConfirmedFactors } from '../factors/use-code.ts'
import { renewLogin } from '../sessions/fresh-login.ts'
import type { Origin } from '../sessions/open-session.ts'
import { invalidToken, requireLiveToken } from '../sessions/require-live-token.ts'
import { lockUser } from '../users/credentials.ts'
import { getUserById } from '../users/get-user.ts'
import type { UserRow } from '../users/user.ts'
import { checkPassword } from './check-password.ts'
import { passSecondFactor, wrongCode } from './second-factor.ts'

/** Exactly one of them. */
interface Proof {
  password?: string
  code?: string
  credential?: unknown
}

interface ConfirmParts {
  db: Db
  secret_keys: SecretKeys
  passkey_site: PasskeySite
}

export async function confirmLogin(
  parts: ConfirmParts,
  caller: Caller,
  proof: Proof,
  origin: Origin,
): Promise<void> {
  const { password, code, credential } = proof
  const sent = Object.values(proof).filter((value) => value !== undefined)
  if (sent.length !== 1) throw notOneProof()
  if (password !== undefined) await confirmByPassword(parts.db, caller, password, origin)
  else if (code !== undefined) await confirmByCode(parts, caller, code, origin)
  else await confirmByPasskey(parts, caller, credential)
}

async function confirmByPassword(
  db: Db,
  caller: Caller,
  password: string,
  { address, isWanted }: Origin,
): Promise<void> {
  const { email } = await getUserById(db, caller.user_id)
  const client = { key: address, ...(isWanted && { isWanted }) }
  const verified = await checkPassword(db, { email, password, address }, client)
  if (verified?.id !== caller.user_id) throw wrongPassword()
  await db.transaction(async (tx) => {
    const user = await lockSelf(tx, caller)
    if (user.password_hash !== verified.password_hash) throw wrongPassword()
    await renewLogin(tx, caller.principal_id)
  })
}

async function confirmByCode(
  { db, secret_keys }: ConfirmParts,
  caller: Caller,
  code: string,
  { address }: Origin,
): Promise<void> {
  const accepted = await db.transaction(async (tx) => {
    const user = await lockSelf(tx, caller)
    const { length } = await listConfirmedFactors(tx, user.id)
    if (length === 0) throw wrongCode()
    const attempt = { email_canonical: canonicalEmail(user.email), address }
    if (!(await passSecondFactor(tx, secret_keys, user, attempt, code))) return false
    await renewLogin(tx, caller.principal_id)
    return true
  })
  if (!accepted) throw wrongCode()
}

async function confirmByPasskey(
  { db, passkey_site }: ConfirmParts,
  caller: Caller,
  credential: unknown,
): Promise<void> {
  const proof = await checkPasskey(db, passkey_site, credential)
  if (proof.passkey.user_id !== caller.user_id) throw unknownPasskey()
  await db.transaction(async (tx) => {
    await lockSelf(tx, caller)
    await usePasskey(tx, proof)
    await renewLogin(tx, caller.principal_id)
  })
}

async function lockSelf(tx: Tx, caller: Caller): Promise<UserRow & { password_hash: string }> {
  const user = await lockUser(tx, caller.user_id)
  await requireLiveToken(tx, caller)
  if (user === undefined) throw invalidToken()
  return user
}

function notOneProof(): Refusal {
  return new Refusal('invalid_request', 'Send one of "password", "code" and "credential".')
}

function wrongPassword(): Refusal {
  const message = '"password" must be your current password.'
  return new Refusal('unauthorized', message, { wrong_password: true })
}
