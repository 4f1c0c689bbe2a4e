// Passkeys (WebAuthn). A passkey verifies its user itself, with a PIN or a fingerprint, so it logs
// in without a password. Its key belongs to the host name of FLORIN_PUBLIC_URL.

import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { changeOnce } from '../../idempotency/change-once.ts'
import type { Db, Queryable, Tx } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { sha256 } from '../../primitives/secrets.ts'
import type { Caller } from '../caller.ts'
import { getUserById } from '../users/get-user.ts'
import { type AddedFactor, changeOwnFactors, finishAdding } from './change-factors.ts'
import { factors_max, type PasskeyRow } from './factor.ts'
import {
  deleteChallenge,
  insertChallenge,
  insertPasskey,
  old_challenges,
  selectFactors,
  selectPasskey,
  updatePasskey,
} from './queries.ts'

/** Where passkeys are valid. Undefined if the public URL has an IP address instead of a name. */
export type PasskeySite = { rp_id: string; origin: string; issuer: string } | undefined

export function passkeySite(public_url: string, issuer: string): PasskeySite {
  const { hostname, origin } = new URL(public_url)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  return { rp_id: hostname, origin, issuer }
}

// Loaded at the first use: it would add 0.3 s to every start.
const webauthn = () => import('@simplewebauthn/server')

// EdDSA, ES256 and RS256: what authenticators support.
const algorithms = [-8, -7, -257]

const challenge_lifetime_ms = 5 * 60_000

/** The options of a login, the same for everyone: the browser offers the passkeys that it has. */
export async function passkeyLoginOptions(db: Db, site: PasskeySite): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: requireSite(site).rp_id,
    userVerification: 'required',
    timeout: challenge_lifetime_ms,
  })
  await storeChallenge(db, options.challenge, null)
  return options
}

/** The options for adding a passkey to the caller's user. */
export async function passkeyOptions(
  db: Db,
  site: PasskeySite,
  caller: Caller,
): Promise<{ public_key: object }> {
  const { rp_id, issuer } = requireSite(site)
  const user = await getUserById(db, caller.user_id)
  const passkeys = (await selectFactors(db, user.id)).filter(isPasskey)
  const { generateRegistrationOptions } = await webauthn()
  const public_key = await generateRegistrationOptions({
    rpName: issuer,
    rpID: rp_id,
    userID: uuidBytes(user.id),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    timeout: challenge_lifetime_ms,
    supportedAlgorithmIDs: algorithms,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  })
  return changeOnce(db, caller.idempotency, async (tx) => {
    await storeChallenge(tx, public_key.challenge, user.id)
    return { public_key }
  })
}

export async function addPasskey(
  db: Db,
  site: PasskeySite,
  caller: Caller,
  { name = 'Passkey', credential }: { name?: string; credential: unknown },
): Promise<AddedFactor> {
  const { challenge, ...columns } = await readRegistration(site, credential)
  return changeOwnFactors(db, caller, async (tx, user) => {
    await spendChallenge(tx, challenge, user.id)
    const { length } = await selectFactors(tx, user.id)
    if (length >= factors_max) throw tooManyFactors()
    const at = new Date()
    const ids = { user_id: user.id, id: newRealTimeUuid(at.getTime()) }
    const times = { confirmed_at: at, last_used_at: null }
    const row: PasskeyRow = { ...ids, kind: 'passkey', name, ...times, ...columns }
    if (!(await insertPasskey(tx, row))) throw knownPasskey()
    return finishAdding(tx, caller, user, row)
  })
}

type Registration = { challenge: string } & Pick<
  PasskeyRow,
  'credential_id' | 'public_key' | 'sign_count' | 'transports'
>

async function readRegistration(site: PasskeySite, credential: unknown): Promise<Registration> {
  const { rp_id, origin } = requireSite(site)
  const { verifyRegistrationResponse } = await webauthn()
  let challenge = ''
  const verified = await verifyRegistrationResponse({
    response: credential as RegistrationResponseJSON,
    expectedChallenge: (sent) => {
      challenge = sent
      return true
    },
    expectedOrigin: origin,
    expectedRPID: rp_id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw badRegistration(cause)
  })
  if (!verified.verified) throw badRegistration(undefined)
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return {
    challenge,
    credential_id: Buffer.from(id, 'base64url'),
    public_key: Buffer.from(publicKey),
    sign_count: counter,
    transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 10),
  }
}

interface PasskeyProof {
  passkey: PasskeyRow
  challenge: string
  sign_count: number
}

/** Checks the signature. The caller then locks the user and calls usePasskey. */
export async function checkPasskey(
  db: Queryable,
  site: PasskeySite,
  sent: unknown,
): Promise<PasskeyProof> {
  const { rp_id, origin } = requireSite(site)
  const response = sent as AuthenticationResponseJSON
  const passkey = await selectPasskey(db, Buffer.from(String(response.id), 'base64url'))
  if (passkey === undefined) throw unknownPasskey()
  const { verifyAuthenticationResponse } = await webauthn()
  let challenge = ''
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (received) => {
      challenge = received
      return true
    },
    expectedOrigin: origin,
    expectedRPID: rp_id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id.toString('base64url'),
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.sign_count,
    },
  }).catch(() => undefined)
  if (!verified?.verified || !isHandleOf(response, passkey)) throw unknownPasskey()
  return { passkey, challenge, sign_count: verified.authenticationInfo.newCounter }
}

/** Requires the lock of the user's row. Each signature works once: its challenge is deleted. */
export async function usePasskey(
  tx: Tx,
  { passkey: seen, challenge, sign_count }: PasskeyProof,
): Promise<void> {
  const passkey = await selectPasskey(tx, seen.credential_id)
  if (passkey === undefined || passkey.id !== seen.id) throw unknownPasskey()
  // Passkeys that are synchronized between devices always send zero.
  const has_counter = sign_count > 0 || passkey.sign_count > 0
  if (has_counter && sign_count <= passkey.sign_count) throw unknownPasskey()
  if (!(await deleteChallenge(tx, sha256(challenge), null, new Date()))) throw unknownPasskey()
  await updatePasskey(tx, { ...passkey, sign_count, last_used_at: new Date() })
}

/** One response for every reason, so it does not reveal which passkeys exist. */
export function unknownPasskey(): Refusal {
  return new Refusal(
    'invalid_credentials',
    'The passkey is unknown, or its response is invalid or expired. Try again, or log in with ' +
      'your password.',
  )
}

/** Deletes challenges that were never used. */
export const sweepChallenges: Sweep = (db, signal) => sweepRows(db, [old_challenges], signal)

function storeChallenge(db: Queryable, challenge: string, user_id: string | null): Promise<void> {
  const expires_at = new Date(Date.now() + challenge_lifetime_ms)
  return insertChallenge(db, { challenge_hash: sha256(challenge), user_id, expires_at })
}

async function spendChallenge(tx: Tx, challenge: string, user_id: string): Promise<void> {
  if (await deleteChallenge(tx, sha256(challenge), user_id, new Date())) return
  throw badRegistration(undefined)
}

function isHandleOf({ response }: AuthenticationResponseJSON, { user_id }: PasskeyRow): boolean {
  const { userHandle } = response
  return userHandle === undefined || uuidBytes(user_id).equals(Buffer.from(userHandle, 'base64url'))
}

function isPasskey(row: { kind: string }): row is PasskeyRow {
  return row.kind === 'passkey'
}

function uuidBytes(uuid: string): Buffer<ArrayBuffer> {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function requireSite(site: PasskeySite): NonNullable<PasskeySite> {
  if (site !== undefined) return site
  throw new Refusal(
    'conflict',
    'Passkeys are not available: they need a host name, and FLORIN_PUBLIC_URL has an IP address. ' +
      'Set it to a URL such as http://localhost:4000, and open the dashboard there.',
  )
}

function badRegistration(cause: unknown): Refusal {
  return new Refusal(
    'invalid_request',
    '"credential" must be the unchanged response of the browser to options of the last 5 ' +
      'minutes, from this site and with user verification. Request new options and try again.',
    { cause },
  )
}

function knownPasskey(): Refusal {
  return new Refusal('conflict', 'This passkey has already been added. Log in with it.')
}

function tooManyFactors(): Refusal {
  return new Refusal(
    'conflict',
    `You already have ${factors_max} factors, the maximum. Delete one that you no longer use.`,
  )
}
