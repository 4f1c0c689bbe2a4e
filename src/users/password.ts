// Passwords: argon2id at OWASP's cost (19 MiB, two passes, one lane: about 45 ms here). It runs on
// libuv's four threads, where DNS and files run too, so at most two at once; 256 more may wait, and
// beyond that the caller gets 503. A flood of log-ins cannot slow payments down.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { password_sent_max } from '../primitives/password-length.ts'
import { Refusal } from '../primitives/refusal.ts'
import { codePointLength } from '../primitives/text.ts'

const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const running_max = 2
const waiting_max = 256

const derive = promisify(argon2)
let running = 0
const waiting: (() => void)[] = []

/** One of the two places in which a password may be hashed. What needs one runs inside `work`. */
export async function inHashingSlot<Result>(
  work: (slot: HashingSlot) => Promise<Result>,
): Promise<Result> {
  if (running >= running_max) await waitForSlot()
  else running += 1
  try {
    return await work(slot)
  } finally {
    const next = waiting.shift()
    // A waiting one takes the place over, so the count stays.
    if (next) next()
    else running -= 1
  }
}

export interface HashingSlot {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

const slot: HashingSlot = { hash, verify }

async function waitForSlot(): Promise<void> {
  // Asked here as well: whoever has room takes it in this very moment, before the next one looks.
  if (!hasRoom()) await requireHashingRoom()
  // A moment may have passed, and nobody hands a place over that was free.
  if (running < running_max) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

// Whoever is refused in a flood comes again at once, whatever Retry-After says: forty of them, each
// told at once, kept the server so busy that a payment took 60 ms at the median. Told a moment
// later they come four times a second. Beyond so many the moment would cost more than it saves.
const refused_after_ms = 250
const lingering_max = 1_000
let lingering = 0

/**
 * Refuses when nobody else may wait, now or in a moment. Asked before anything is done for a
 * request that would only be refused later.
 */
export async function requireHashingRoom(): Promise<void> {
  if (hasRoom()) return
  if (lingering < lingering_max) {
    lingering += 1
    await sleep(refused_after_ms)
    lingering -= 1
    if (hasRoom()) return
  }
  const said = 'Too many people are logging in right now. Try again shortly.'
  throw new Refusal('unavailable', said, { retry_after_s: 2 })
}

function hasRoom(): boolean {
  return running < running_max || waiting.length < waiting_max
}

export function hashPassword(password: string): Promise<string> {
  return inHashingSlot((free) => free.hash(password))
}

/**
 * A digest that is as slow to guess from as the password's own hash. The same secret and salt give
 * the same digest, so that a repeated request is recognized without keeping what it contained.
 */
export function digestSecret(secret: string, salt: Buffer): Promise<Buffer> {
  const input = { ...cost, message: normalize(secret), nonce: salt.subarray(0, 16) }
  return inHashingSlot(() => derive('argon2id', { ...input, tagLength: 32 }))
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
export const nobodysHash = render(randomBytes(16), randomBytes(32))

// The same characters typed on another system may arrive in another form; NFKC makes them one.
function normalize(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
