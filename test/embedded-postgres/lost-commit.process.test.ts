// The database crashes during COMMIT. PostgreSQL reuses ids of transactions that never reached the
// disk, so after a crash a committed id alone proves nothing.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningEmbedded, openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { type Db, openDatabase } from '../../src/postgres/database.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'

for (const victim of ['the whole server', 'one of its processes'] as const) {
  test(`detects a transaction id that is reused after a crash of ${victim}`, async (t) => {
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
    const postmaster_pid = (await findRunningEmbedded(data_path))!.pid
    const commit = proxy.next('strand')
    let lost_xid = ''
    let backend_pid = 0
    const change = db.transaction(async (tx) => {
      const row = await tx.row<{ xid: string; pid: number }>(
        sql`select pg_current_xact_id()::text as xid, pg_backend_pid() as pid`,
      )
      lost_xid = row!.xid
      backend_pid = row!.pid
      tx.send(sql`update clock set offset_ms = 1`)
    })
    const outcome = change.then(
      () => 'acknowledged',
      (error) => error.code,
    )
    await commit.seen
    process.kill(victim === 'the whole server' ? postmaster_pid : backend_pid, 'SIGKILL')
    await useIdsThrough(direct, lost_xid)
    const result = await outcome
    const clock = await direct.row<{ offset_ms: number }>(sql`select offset_ms from clock`)
    // If the status is queried before the id is reused, the change is retried and acknowledged.
    assert.equal(result, clock!.offset_ms === 1 ? 'acknowledged' : 'unavailable')
  })
}

/** Commits other transactions until one has used the id. */
async function useIdsThrough(db: Db, xid: string): Promise<void> {
  const deadline_ms = Date.now() + 30_000
  for (;;) {
    const used = await db
      .row<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
      .catch(() => undefined)
    if (used !== undefined && BigInt(used.xid) > BigInt(xid)) return
    assert.ok(Date.now() < deadline_ms, 'the database did not restart in time')
    if (used === undefined) await sleep(20)
  }
}
