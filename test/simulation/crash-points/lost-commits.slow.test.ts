// The connection is lost at the COMMIT of every kind of write, before or after PostgreSQL has
// committed. The request succeeds, and its effect is the same as without a failure.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommitProxy } from '../../support/commit-proxy.ts'
import { startFlorin } from '../../support/florin.ts'
import { findFreePort } from '../../support/free-port.ts'
import { hashDatabase } from '../../support/hash-database.ts'
import { test_secret_key } from '../../support/totp.ts'
import { effectOf } from './effect.ts'
import { chooseCells } from './matrix.ts'
import type { WriteOperation } from './operations.ts'
import { nameOf, type Recipe } from './recipe.ts'
import { requestSender } from './request-sender.ts'
import { World } from './world.ts'

const port = await findFreePort()
// A host name: passkeys are not available with an IP address.
const public_url = `http://localhost:${port}`
const florin = await startFlorin({
  PORT: String(port),
  FLORIN_PUBLIC_URL: public_url,
  FLORIN_SECRET_KEY: test_secret_key,
})
const proxy = await startCommitProxy(florin.connection)
const server = await florin.startSecondServer({ PORT: '0' }, proxy.connection)
const world = new World({ url: florin.url, public_url, db: florin.db })
await world.admin()

interface RunParts {
  recipe: Recipe
  operation: WriteOperation
  /** Called after the preparation, just before the request is sent. */
  disturb?: () => void
}

async function run(url: string, { recipe, operation, disturb }: RunParts) {
  // Each run has new owners: their first payment of an hour causes more emails than the next.
  const request = await recipe.prepare(world)
  const before = await hashDatabase(florin.db.pool)
  disturb?.()
  const reply = await requestSender(url, operation, request)()
  assert.ok(reply, 'no response')
  const effect = effectOf(before, await hashDatabase(florin.db.pool))
  if (reply.status < 400) await request.verifyEffect?.(reply.body)
  return { outcome: { status: reply.status, effect }, text: reply.text }
}

const points = chooseCells({ seed: 0, whole: true })
const cells = points.filter(
  ({ recipe, point }) => point === 'before commit' && recipe.unreachable?.[point] === undefined,
)

for (const cell of cells) {
  test(`${nameOf(cell.recipe)} takes effect once`, async () => {
    const { outcome: expected } = await run(florin.url, cell)
    for (const fault of ['lose_commit_response', 'cut_before'] as const) {
      let is_lost = false
      const disturb = () => void proxy.next(fault).seen.then(() => (is_lost = true))
      const { outcome, text } = await run(server.url, { ...cell, disturb })
      assert.ok(is_lost, 'there was no COMMIT')
      assert.deepEqual(outcome, expected, `${fault}: ${text}`)
    }
  })
}
