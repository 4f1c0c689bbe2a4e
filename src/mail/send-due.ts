// Sends what waits. A worker takes a few letters under a lease, talks to the mail server outside of
// any database transaction, and writes down what became of each. If it dies between the server's
// 250 and that line, the lease runs out and the letter is sent again: nobody can make the two one
// step. Its Message-ID is made from its cause, so that the second is known as the first.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Round, Turn } from '../jobs/timer.ts'
import type { Db } from '../postgres/database.ts'
import { takeTurns } from '../postgres/turns.ts'
import { isEmail } from '../primitives/email.ts'
import { newRealTimeUuid } from '../primitives/ids.ts'
import { sha256 } from '../primitives/secrets.ts'
import { claimLetters, type MailTurns } from './claim-letters.ts'
import type { DraftOptions } from './draft-letter.ts'
import { findPassedLimit } from './inbox-limits.ts'
import { type KeptLetter, readLetter } from './kept-letter.ts'
import { NotTaken, type PostOffice } from './post-office.ts'
import { endLetter, holdLetter, type LetterEnd, postponeLetter } from './queries.ts'
import { attempts_max, waitAfter } from './retry-schedule.ts'
import { writeLetter } from './write-letter.ts'

export interface MailParts extends DraftOptions {
  db: Db
  post: PostOffice
  turns: MailTurns
  /** Why nobody needs the letter any more, if so: what it asks for has happened, or is off. */
  findEnd: (letter: KeptLetter) => Promise<string | undefined>
  /** Told once a round when the server did not take letters, with what it said to one of them. */
  report?: (error: string, letters: number) => void
  pace?: MailPace
}

export interface MailPace {
  /** How long others leave a letter to the worker that took it. */
  lease_ms: number
  /** When a round hangs up on a server that keeps it. */
  round_ms: number
}

// A round ends well within its lease, and leaves time to write down how it ended. A server that
// answers a word a minute, which no silence betrays, holds one round for this long.
const usual_pace: MailPace = { lease_ms: 120_000, round_ms: 60_000 }

// Four for each connection. Fewer would wait for each other, more would wait for a slow one.
const letters_max = 20

// A worker that stops is given this long to end its conversations, so that few letters are sent
// again by the next.
const stop_ms = 4_000

export async function sendDue(parts: MailParts, { signal }: Pick<Turn, 'signal'>): Promise<Round> {
  const { lease_ms, round_ms } = parts.pace ?? usual_pace
  const lease = { id: newRealTimeUuid(Date.now()), for_ms: lease_ms }
  const letters = await claimLetters(parts.db, parts.turns, lease, letters_max)
  if (letters.length === 0) return { done: 0, more: false }
  const end = setTimeout(() => parts.post.hangUp(), round_ms)
  const stop = () => setTimeout(() => parts.post.hangUp(), stop_ms).unref()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const errors = await sendAll(parts, letters, lease.id)
    if (errors.length > 0) parts.report?.(errors[0]!, errors.length)
    // When the server took none, to go on at once would only be to knock at a closed door.
    const more = letters.length === letters_max && errors.length < letters.length
    return { done: letters.length, more }
  } finally {
    clearTimeout(end)
    signal.removeEventListener('abort', stop)
  }
}

async function sendAll(
  parts: MailParts,
  letters: KeptLetter[],
  lease_id: string,
): Promise<string[]> {
  const ended = await Promise.allSettled(letters.map((one) => sendOne(parts, one, lease_id)))
  // The letter of a fault waits for its lease to run out, and does not hold the others up.
  const fault = ended.find((end) => end.status === 'rejected')
  if (fault !== undefined) throw fault.reason
  return ended.flatMap((end) => (end.status === 'fulfilled' && end.value) || [])
}

// A worker has four database clients, and each check of the limits is a transaction: twenty at once
// would wait for a client until they fail, and then for their leases.
const judgeInTurn = takeTurns({ at_once_max: 2, wait_max_ms: 60_000 })

/** Answers what the server said if it was asked, and took the letter not yet or never. */
async function sendOne(
  parts: MailParts,
  letter: KeptLetter,
  lease_id: string,
): Promise<string | null> {
  const judged = await judgeInTurn(letter.id, () => judge(parts, letter, lease_id))
  if (judged === 'held') return null
  const outcome = judged ?? (await deliver(parts, letter))
  await writeDown(async () => {
    if (typeof outcome === 'string') return endOrPostpone(parts.db, letter, lease_id, outcome)
    return endLetter(parts.db, letter, lease_id, outcome)
  })
  if (judged !== undefined) return null
  return typeof outcome === 'string' ? outcome : outcome.error
}

/** Why it will not be sent, ever or now; undefined when it may go. */
async function judge(
  parts: MailParts,
  letter: KeptLetter,
  lease_id: string,
): Promise<LetterEnd | 'held' | undefined> {
  if (!isEmail(letter.recipient)) return failed('The recipient is not an email address.')
  if (letter.attempts > attempts_max) return failed(letter.error ?? 'It was tried too often.')
  if (hasRunOut(letter)) return failed('The link in it ran out before it could be sent.')
  const end = await parts.findEnd(letter)
  if (end !== undefined) return { state: 'withheld', error: end }
  // Counted at the first try; the others are for the same letter.
  if (letter.attempts > 1) return undefined
  const limit = await findPassedLimit(parts.db, letter)
  if (limit === undefined) return undefined
  const waits = `Held back: ${limit.sentence}`
  if (limit.is_common && (await hold(parts.db, letter, lease_id, waits))) return 'held'
  return { state: 'withheld', error: `Withheld: ${limit.sentence}` }
}

// What others have used up is free again within the hour, or the day.
const held_ms = 15 * 60_000

async function hold(db: Db, letter: KeptLetter, lease_id: string, error: string): Promise<boolean> {
  const wait_ms = Math.round(held_ms * (0.8 + 0.4 * Math.random()))
  return holdLetter(db, letter, lease_id, { wait_ms, error })
}

// In real time, which the sandbox's clock is never behind: no link is thought dead that is not.
function hasRunOut(letter: KeptLetter): boolean {
  const { facts } = readLetter(letter)
  return 'expires_at' in facts && new Date(facts.expires_at).getTime() < Date.now()
}

function failed(error: string): LetterEnd {
  return { state: 'failed', error }
}

/** How it ended, or what the server said if it may take it later. */
async function deliver(parts: MailParts, letter: KeptLetter): Promise<LetterEnd | string> {
  const { post } = parts
  const message_id = `<${causeHash(letter)}@${post.domain}>`
  try {
    const written = writeLetter(readLetter(letter), parts)
    await post.send({ ...written, to: letter.recipient, message_id })
    return { state: 'sent', error: null }
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    return error.for_good ? failed(error.message) : error.message
  }
}

function causeHash({ account_id, cause }: KeptLetter): string {
  return sha256(`${account_id} ${cause}`).toString('hex', 0, 20)
}

async function endOrPostpone(
  db: Db,
  letter: KeptLetter,
  lease_id: string,
  error: string,
): Promise<void> {
  const wait_ms = waitAfter(letter.attempts, Math.random())
  if (wait_ms === undefined) return endLetter(db, letter, lease_id, failed(error))
  return postponeLetter(db, letter, lease_id, { wait_ms, error })
}

// A database that is away for a moment must not make a letter that was sent be sent again. All
// tries together end within the lease.
const write_again_ms = [500, 2_000, 5_000]

async function writeDown(write: () => Promise<void>): Promise<void> {
  for (const wait_ms of write_again_ms) {
    try {
      return await write()
    } catch {
      await sleep(wait_ms)
    }
  }
  await write()
}
