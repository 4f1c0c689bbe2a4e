// A run reports an acknowledged write that the database has lost. Without this test, a run that
// reads the wrong database, or none of its rows, would find no violation either.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { findUuid } from '../../src/primitives/ids.ts'
import type { History } from './history.ts'
import { readOptions } from './options.ts'
import { runRound } from './round.ts'
import type { Fleet } from './servers/fleet.ts'
import { Guard } from './servers/guard-client.ts'
import { bodyOf, writesOf } from './writes.ts'

/** Deletes the row of the last create that a server acknowledged. Returns its id. */
async function loseWrite({ database }: Fleet, history: History): Promise<string> {
  const created = writesOf(history).findLast(
    ({ operation, acknowledged }) => operation === 'create' && acknowledged !== undefined,
  )
  const { id } = bodyOf(created!.acknowledged!)!
  const client = new pg.Client(await database.connection())
  await client.connect()
  const { rowCount } = await client.query('delete from transactions where id = $1', [
    findUuid('transaction', id),
  ])
  await client.end()
  assert.equal(rowCount, 1)
  return id
}

test('an acknowledged write that is lost before the end is a violation', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-lost-write-'))
  t.after(() => rm(directory, { recursive: true }))
  const guard = new Guard()
  t.after(() => guard.end())
  const args = ['--clients', '4', '--seconds', '5', '--nemesis', 'hold-locks']
  let lost = ''
  const { violations } = await runRound(readOptions(args), guard, directory, async (...run) => {
    lost = await loseWrite(...run)
  })
  const missing = violations.filter(({ check }) => check === 'acknowledged-writes-present')
  const is_about = (what: string) =>
    what.endsWith(` was acknowledged as ${lost}, which does not exist`)
  // Other writes to the same transaction may be missing with it.
  assert.ok(
    missing.length > 0 && missing.every(({ what }) => is_about(what)),
    JSON.stringify(missing),
  )
  assert.equal(missing.filter(({ what }) => what.startsWith('create ')).length, 1)
})
