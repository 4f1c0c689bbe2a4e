// Passwords: argon2id with the parameters that OWASP recommends (19 MiB, two passes, one lane;
// about 45 ms). It uses the four libuv threads, which also serve DNS and files, so at most two
// hashes run at once. The others wait in a fair queue: a flood from one client does not delay other
// logins.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createFairQueue } from '../../postgres/fair-queue.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { password_sent_max } from '../../primitives/secrets.ts'
import { codePointLength } from '../../primitives/text.ts'

/** Only tests change it: at this cost, passwords took a tenth of the CPU time of all tests. */
export const password_cost = { memory: 19_456, passes: 2, parallelism: 1 }

const derive = promisify(argon2)

// Logins and other purposes (sign-up, new passwords) get one slot each if both wait. One client can
// fill half of the queue, because many users may share the IP address of a proxy. Requests time out
// after nine seconds (http/deadline.ts).
const hashInTurn = createFairQueue({
  concurrency_max: 2,
  concurrency_per_key_max: 2,
  waiting_max: 256,
  waiting_per_key_max: 128,
  shares: { login: 1, other: 1 },
  wait_max_ms: 9_000,
  refusal: tooManyLogins,
})

/** The client that a password is hashed for. */
export interface HashingClient {
  /** The account or user of an authenticated caller, otherwise the client's IP address. */
  key: string
  /** False if the client has disconnected or already got its response. */
  isWanted?(): boolean
}

type HashingPurpose = 'login' | 'other'

/** Runs `work` in one of the two slots for password hashing. */
export async function inHashingSlot<Result>(
  client: HashingClient,
  purpose: HashingPurpose,
  work: (slot: HashingSlot) => Promise<Result>,
): Promise<Result> {
  const { key, isWanted = () => true } = client
  // If there is room, nothing is awaited between this check and the enqueueing.
  if (!hasRoom(client, purpose)) await requireHashingRoom(client, purpose)
  return hashInTurn(key, () => work(slot), { class: purpose, isWanted })
}

interface HashingSlot {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

const slot: HashingSlot = { hash, verify }

// Flooding clients ignore Retry-After and retry at once: 40 of them raised the median time of a
// payment to 60 ms. Delaying the rejection limits each connection to four requests per second. The
// number of delayed rejections is bounded, because each one holds memory.
const rejection_delay_ms = 250
const delayed_rejections_max = 1_000
let delayed_rejections = 0

/**
 * Throws if the queue has no room for this client, now and after a short delay. Called before any
 * work is done for the request.
 */
export async function requireHashingRoom(
  client: HashingClient,
  purpose: HashingPurpose,
): Promise<void> {
  if (hasRoom(client, purpose)) return
  if (delayed_rejections < delayed_rejections_max) {
    delayed_rejections += 1
    await sleep(rejection_delay_ms)
    delayed_rejections -= 1
    if (hasRoom(client, purpose)) return
  }
  throw tooManyLogins()
}

function hasRoom({ key }: HashingClient, purpose: HashingPurpose): boolean {
  return hashInTurn.hasRoom(key, { class: purpose })
}

function tooManyLogins(): Refusal {
  const message = 'Too many logins are in progress. Retry in a few seconds.'
  return new Refusal('unavailable', message, { retry_after_s: 2 })
}

/** For CLI commands. */
const background: HashingClient = { key: 'background' }

export function hashPassword(password: string, client = background): Promise<string> {
  return inHashingSlot(client, 'other', (free) => free.hash(password))
}

/**
 * A digest that is as slow to brute-force as the password hash. The same secret and salt give the
 * same digest, so a repeated request is recognized without storing its secret.
 */
export function digestSecret(secret: string, salt: Buffer, client: HashingClient): Promise<Buffer> {
  const input = { ...password_cost, message: normalize(secret), nonce: salt.subarray(0, 16) }
  return inHashingSlot(client, 'other', () => derive('argon2id', { ...input, tagLength: 32 }))
}

async function hash(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', {
    ...password_cost,
    message: normalize(password),
    nonce,
    tagLength: 32,
  })
  return render(nonce, tag)
}

function render(nonce: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = password_cost
  const parameters = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${base64(nonce)}$${base64(tag)}`
}

async function verify(password: string, stored: string): Promise<boolean> {
  const [, , , parameters = '', nonce = '', expected = ''] = stored.split('$')
  const [memory = 0, passes = 0, parallelism = 0] = parameters
    .split(',')
    .map((part) => Number(part.slice(2)))
  const tag = Buffer.from(expected, 'base64')
  // No stored password is that long, so it is wrong. It is not normalized, which would be slow for
  // a body full of ligatures; hashing an empty password instead takes the usual time.
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
 * A hash of the same cost that matches no password. Verifying against it makes a login with an
 * unknown email take as long as one with a wrong password.
 */
export function dummyHash(): string {
  return render(dummy.nonce, dummy.tag)
}

const dummy = { nonce: randomBytes(16), tag: randomBytes(32) }

// Systems encode the same characters differently; NFKC unifies them.
function normalize(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
