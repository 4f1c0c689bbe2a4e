// A connection lost during COMMIT, and the database with it. Numbers of database transactions that
// never reached the disk are given again after a crash, so a number alone proves nothing then.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { findRunningEmbedded, openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'

for (const victim of ['the whole server', 'one of its processes'] as const) {
  test(`a number that a crash of ${victim} gave to another change is not ours`, async (t) => {
    const data_path = await mkdtemp(join(tmpdir(), 'florin-lost-'))
    const embedded = await openEmbedded({ data_path, warn: () => {} })
    const direct = openDatabase(embedded.connection)
    const proxy = await startCommitProxy(embedded.connection)
    const db = openDatabase(proxy.connection)
    t.after(async () => {
      await db.close()
      await direct.close()
      await embedded.stop()
      await rm(data_path, { recursive: true, force: true })
    })
    await migrate(embedded.connection, 'sandbox')
    const whole = (await findRunningEmbedded(data_path))!.pid
    const passing = proxy.next('strand')
    let lost = ''
    let own_process = 0
    const change = db.transaction(async (tx) => {
      const asked = await tx.row<{ xid: string; pid: number }>(
        sql`select pg_current_xact_id()::text as xid, pg_backend_pid() as pid`,
      )
      lost = asked!.xid
      own_process = asked!.pid
      tx.send(sql`update clock set offset_ms = 1`)
    })
    const outcome = change.then(
      () => 'acknowledged',
      (error) => error.code,
    )
    await passing.seen
    process.kill(victim === 'the whole server' ? whole : own_process, 'SIGKILL')
    await useNumbersThrough(direct, lost)
    const told = await outcome
    const clock = await direct.row<{ offset_ms: number }>(sql`select offset_ms from clock`)
    // Asked before the number is given again, it is known to be lost, and the change is made anew.
    assert.equal(told, clock!.offset_ms === 1 ? 'acknowledged' : 'unavailable')
  })
}

/** Changes of others, until one has had the number and has committed. */
async function useNumbersThrough(db: Db, xid: string): Promise<void> {
  const deadline_ms = Date.now() + 30_000
  for (;;) {
    const used = await db
      .row<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
      .catch(() => undefined)
    if (used !== undefined && BigInt(used.xid) > BigInt(xid)) return
    assert.ok(Date.now() < deadline_ms, 'the database does not come back')
    if (used === undefined) await sleep(20)
  }
}
