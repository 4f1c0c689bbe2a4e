// Adds an authenticator app in two steps. The first returns the secret for the app; the second
// proves with a code that the app has it. Only then does a login need a code.

import type { Db } from '../../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { Caller } from '../caller.ts'
import { type AddedFactor, changeOwnFactors, finishAdding } from './change-factors.ts'
import type { TotpRow } from './factor.ts'
import { deleteFactor, insertTotp, selectFactors } from './queries.ts'
import type { SecretKeys } from './secret-keys.ts'
import { newTotpSecret, otpauthUri, toBase32 } from './totp.ts'
import { useTotpCode } from './use-code.ts'

interface StartedTotp {
  id: string
  secret: string
  uri: string
}

/** Replaces an authenticator app that is still being set up. */
export async function startTotp(
  db: Db,
  keys: SecretKeys,
  caller: Caller,
  { name = 'Authenticator app', issuer }: { name?: string | undefined; issuer: string },
): Promise<StartedTotp> {
  if (keys.newest_id === undefined) throw noKey()
  return changeOwnFactors(db, caller, async (tx, user) => {
    const existing = (await selectFactors(tx, user.id)).find(({ kind }) => kind === 'totp')
    if (existing?.confirmed_at) throw alreadyHasTotp()
    if (existing !== undefined) await deleteFactor(tx, user.id, existing.id)
    const secret = newTotpSecret()
    const owner = { user_id: user.id, id: newRealTimeUuid(Date.now()) }
    await insertTotp(tx, { ...unused, ...owner, name, ...keys.seal(owner, secret) })
    const uri = otpauthUri(secret, user.email, issuer)
    return { id: toTypeId('factor', owner.id), secret: toBase32(secret), uri }
  })
}

const unused = { kind: 'totp', confirmed_at: null, last_used_at: null, last_step: null } as const

/** The code that confirms the app is used: it does not work for a login. */
export async function confirmTotp(
  db: Db,
  keys: SecretKeys,
  caller: Caller,
  code: string,
): Promise<AddedFactor> {
  return changeOwnFactors(db, caller, async (tx, user) => {
    const started = (await selectFactors(tx, user.id)).find(isBeingSetUp)
    if (started === undefined) throw notStarted()
    if (!(await useTotpCode(tx, keys, started, code))) throw wrongCode()
    return finishAdding(tx, caller, user, { ...started, last_used_at: new Date() })
  })
}

function isBeingSetUp(row: { kind: string; confirmed_at: Date | null }): row is TotpRow {
  return row.kind === 'totp' && row.confirmed_at === null
}

function noKey(): Refusal {
  return new Refusal(
    'conflict',
    'Authenticator apps are not available: the operator must set FLORIN_SECRET_KEY to 32 random ' +
      'bytes in base64. Add a passkey instead.',
  )
}

function alreadyHasTotp(): Refusal {
  return new Refusal(
    'conflict',
    'You already have an authenticator app. To replace it, delete it first: ' +
      'DELETE /v1/user/factors/{factor_id}.',
  )
}

function notStarted(): Refusal {
  return new Refusal(
    'conflict',
    'No authenticator app is being set up. Start with POST /v1/user/factors/totp.',
  )
}

function wrongCode(): Refusal {
  return new Refusal(
    'invalid_request',
    '"code" must be the current code of the authenticator app. Check that the clock of your ' +
      'device is right, and enter the next code.',
  )
}
