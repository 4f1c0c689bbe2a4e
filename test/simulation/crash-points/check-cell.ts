// What is sent again after the crash, and what must come of it.

import assert from 'node:assert/strict'
import type { DatabaseHash } from '../../support/hash-database.ts'
import { type Effect, effectOf } from './effect.ts'
import { isBeforeCommit, type Point } from './points.ts'
import type { PreparedRequest, Recipe } from './recipe.ts'
import type { Reply } from './send-once.ts'

/** What the request does when nothing happens to it. */
export interface Reference {
  status: number
  effect: Effect
}

export interface HeldCell {
  recipe: Recipe
  point: Point
  asked: PreparedRequest
  reference: Reference
  /** The answer of one that was killed after its reply. */
  reply: Reply | undefined
  /** The same request once more, key and all. */
  sendAgain(): Promise<Reply | undefined>
  read(): Promise<DatabaseHash>
}

export async function checkCell(cell: HeldCell): Promise<void> {
  if (isBeforeCommit(cell.point)) await checkFirstEffect(cell)
  else if (cell.recipe.again !== undefined) await checkRepeat(cell)
  else await checkReplay(cell)
  await cell.asked.atLast?.()
}

/** It died too early for any effect: sent again it goes as if it were the first time. */
async function checkFirstEffect(cell: HeldCell): Promise<void> {
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, cell.reference.status, reply.text)
  assert.deepEqual(effect, cell.reference.effect, 'another effect than it has without a crash')
  await cell.asked.look?.(reply.body)
  if (cell.recipe.again === undefined) await requireReplay(cell, reply)
}

/** It was committed, and its key gives the answer that belongs to it. */
async function checkReplay(cell: HeldCell): Promise<void> {
  const { reply: first, recipe, asked } = cell
  if (first !== undefined) await asked.look?.(first.body)
  // What its other steps did is judged by `look`; the second time there is nothing left to do.
  if (recipe.multi_step !== undefined) await sendAndRead(cell)
  const replayed = await requireReplay(cell, first)
  await asked.look?.(replayed.body)
}

/** The kept answer, to the byte the one that was given if one was, and no second effect. */
async function requireReplay(cell: HeldCell, first: Reply | undefined): Promise<Reply> {
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, cell.reference.status, reply.text)
  assert.deepEqual(effect, {}, 'a second effect')
  assert.equal(reply.headers['idempotent-replayed'], 'true')
  if (first !== undefined) assert.equal(reply.text, first.text, 'another response')
  return reply
}

/** It was committed, and no key says that what is sent again is the same. */
async function checkRepeat(cell: HeldCell): Promise<void> {
  const { status, changes } = cell.recipe.again!
  if (cell.reply !== undefined) await cell.asked.look?.(cell.reply.body)
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, status, reply.text)
  if (changes === 'nothing') assert.deepEqual(effect, {}, 'a refusal changed something')
  if (changes === 'the same once more') assert.deepEqual(effect, cell.reference.effect)
}

async function sendAndRead(cell: HeldCell): Promise<{ reply: Reply; effect: Effect }> {
  const before = await cell.read()
  const reply = await cell.sendAgain()
  assert.ok(reply, 'the server that was started again did not response')
  return { reply, effect: effectOf(before, await cell.read()) }
}
