// Passwords: argon2id at OWASP's cost (19 MiB, two passes, one lane: about 45 ms here). It runs on
// libuv's four threads, where DNS and files run too, so at most two at once. The rest waits in a
// fair queue: a flood of one client delays nobody else's login, and no payment.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createFairQueue } from '../postgres/fair-queue.ts'
import { password_sent_max } from '../primitives/password-length.ts'
import { Refusal } from '../primitives/refusal.ts'
import { codePointLength } from '../primitives/text.ts'

const cost = { memory: 19_456, passes: 2, parallelism: 1 }

const derive = promisify(argon2)

// Logins and everything else (sign-up, new passwords) have one slot each while both wait. Half of
// the queue for one client: many people share an address behind a proxy that hides theirs. A client
// gets an error after nine seconds anyway (http/deadline.ts).
const hashInTurn = createFairQueue({
  concurrency_max: 2,
  concurrency_per_key_max: 2,
  waiting_max: 256,
  waiting_per_key_max: 128,
  shares: { login: 1, other: 1 },
  wait_max_ms: 9_000,
  refusal: tooManyLogins,
})

/** On whose behalf a password is hashed. */
export interface HashingClient {
  /** The account or user of an authenticated caller, or else the client's address. */
  key: string
  /** False when the client has disconnected or has had its response. */
  isWanted?(): boolean
}

export type HashingPurpose = 'login' | 'other'

/** One of the two slots in which a password may be hashed. What needs one runs inside `work`. */
export async function inHashingSlot<Result>(
  client: HashingClient,
  purpose: HashingPurpose,
  work: (slot: HashingSlot) => Promise<Result>,
): Promise<Result> {
  const { key, isWanted = () => true } = client
  // Without a pause between the look and the place in the queue where there is room.
  if (!hasRoom(client, purpose)) await requireHashingRoom(client, purpose)
  return hashInTurn(key, () => work(slot), { class: purpose, isWanted })
}

export interface HashingSlot {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

const slot: HashingSlot = { hash, verify }

// A client that is refused in a flood comes again at once, whatever Retry-After says: forty of
// them, each refused at once, kept the server so busy that a payment took 60 ms at the median.
// Refused a moment later they come four times a second. Beyond so many the wait would cost more
// than it saves.
const refused_after_ms = 250
const lingering_max = 1_000
let lingering = 0

/**
 * Refuses when no other request of this client may wait, now or in a moment. Called before anything
 * is done for a request that would only be refused later.
 */
export async function requireHashingRoom(
  client: HashingClient,
  purpose: HashingPurpose,
): Promise<void> {
  if (hasRoom(client, purpose)) return
  if (lingering < lingering_max) {
    lingering += 1
    await sleep(refused_after_ms)
    lingering -= 1
    if (hasRoom(client, purpose)) return
  }
  throw tooManyLogins()
}

function hasRoom({ key }: HashingClient, purpose: HashingPurpose): boolean {
  return hashInTurn.hasRoom(key, { class: purpose })
}

function tooManyLogins(): Refusal {
  const message = 'Too many people are logging in right now. Try again shortly.'
  return new Refusal('unavailable', message, { retry_after_s: 2 })
}

/** For commands that run by themselves. */
const background: HashingClient = { key: 'background' }

export function hashPassword(password: string, client = background): Promise<string> {
  return inHashingSlot(client, 'other', (free) => free.hash(password))
}

/**
 * A digest that is as slow to guess from as the password's own hash. The same secret and salt give
 * the same digest, so that a repeated request is recognized without keeping what it contained.
 */
export function digestSecret(secret: string, salt: Buffer, client: HashingClient): Promise<Buffer> {
  const input = { ...cost, message: normalize(secret), nonce: salt.subarray(0, 16) }
  return inHashingSlot(client, 'other', () => derive('argon2id', { ...input, tagLength: 32 }))
}

async function hash(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', {
    ...cost,
    message: normalize(password),
    nonce,
    tagLength: 32,
  })
  return render(nonce, tag)
}

function render(nonce: Buffer, tag: Buffer): string {
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`
  return `$argon2id$v=19$${parameters}$${base64(nonce)}$${base64(tag)}`
}

async function verify(password: string, stored: string): Promise<boolean> {
  const [, , , parameters = '', nonce = '', expected = ''] = stored.split('$')
  const [memory = 0, passes = 0, parallelism = 0] = parameters
    .split(',')
    .map((part) => Number(part.slice(2)))
  const tag = Buffer.from(expected, 'base64')
  // Nobody was ever given one that long; it is wrong, and takes as long as any other that is wrong
  // rather than the time that a body full of ligatures takes to be written out.
  const is_huge = codePointLength(password) > password_sent_max
  const found = await derive('argon2id', {
    memory,
    passes,
    parallelism,
    message: normalize(is_huge ? '' : password),
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: tag.length,
  })
  return timingSafeEqual(found, tag) && !is_huge
}

/**
 * A hash that no password has, at the same cost. Verifying against it makes an unknown email take
 * as long as a wrong password.
 */
export const dummyHash = render(randomBytes(16), randomBytes(32))

// The same characters typed on another system may arrive in another form; NFKC makes them one.
function normalize(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
