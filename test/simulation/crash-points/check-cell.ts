// Repeats a request after the crash and checks the outcome.

import assert from 'node:assert/strict'
import type { DatabaseHash } from '../../support/hash-database.ts'
import { type Effect, effectOf } from './effect.ts'
import { isBeforeCommit, isInChange, type Point } from './points.ts'
import type { PreparedRequest, Recipe } from './recipe.ts'
import type { Reply } from './send-once.ts'

/** Status and effect of the request without a crash. */
export interface Reference {
  status: number
  effect: Effect
}

export interface CrashedCell {
  recipe: Recipe
  point: Point
  request: PreparedRequest
  reference: Reference
  /** The response, if the server was killed after sending it. */
  reply: Reply | undefined
  /** Sends the same request again, with the same key. */
  sendAgain(): Promise<Reply | undefined>
  read(): Promise<DatabaseHash>
}

export async function checkCell(cell: CrashedCell): Promise<void> {
  if (isBeforeCommit(cell.point)) await checkFirstEffect(cell)
  else if (cell.recipe.on_repeat !== undefined) await checkRepeat(cell)
  else await checkReplay(cell)
  await cell.request.verifyEnd?.()
}

/** Whether steps before the transaction have left changes. */
export function hasEarlySteps({ recipe, point }: Pick<CrashedCell, 'recipe' | 'point'>): boolean {
  return recipe.early_steps === true && isInChange(point)
}

/** The crash happened before any effect, so the repeated request works like a first one. */
async function checkFirstEffect(cell: CrashedCell): Promise<void> {
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, cell.reference.status, reply.text)
  if (!hasEarlySteps(cell))
    assert.deepEqual(effect, cell.reference.effect, 'the effect differs from that without a crash')
  await cell.request.verifyEffect?.(reply.body)
  if (cell.recipe.on_repeat === undefined) await requireReplay(cell, reply)
}

/** The change was committed, so its key returns the stored response. */
async function checkReplay(cell: CrashedCell): Promise<void> {
  const { reply: first, recipe, request } = cell
  if (first !== undefined) await request.verifyEffect?.(first.body)
  // Effects of the other steps are checked by `verifyEffect`; the second repeat changes nothing.
  if (recipe.multi_step !== undefined) await sendAndRead(cell)
  const replayed = await requireReplay(cell, first)
  await request.verifyEffect?.(replayed.body)
}

/** Requires the stored response, byte-identical to the one sent before the crash, and no effect. */
async function requireReplay(cell: CrashedCell, first: Reply | undefined): Promise<Reply> {
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, cell.reference.status, reply.text)
  assert.deepEqual(effect, {}, 'a second effect')
  assert.equal(reply.headers['idempotent-replayed'], 'true')
  if (first !== undefined) assert.equal(reply.text, first.text, 'the response differs')
  return reply
}

/** The change was committed, but without a key the repeated request is a new one. */
async function checkRepeat(cell: CrashedCell): Promise<void> {
  const { status, changes } = cell.recipe.on_repeat!
  if (cell.reply !== undefined) await cell.request.verifyEffect?.(cell.reply.body)
  const { reply, effect } = await sendAndRead(cell)
  assert.equal(reply.status, status, reply.text)
  if (changes === 'nothing') assert.deepEqual(effect, {}, 'a rejected request changed something')
  if (changes === 'the same once more') assert.deepEqual(effect, cell.reference.effect)
}

async function sendAndRead(cell: CrashedCell): Promise<{ reply: Reply; effect: Effect }> {
  const before = await cell.read()
  const reply = await cell.sendAgain()
  assert.ok(reply, 'the restarted server did not respond')
  return { reply, effect: effectOf(before, await cell.read()) }
}
