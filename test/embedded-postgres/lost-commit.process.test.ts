// The database crashes during COMMIT. After its recovery, the evidence of the change shows whether
// it was committed.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findRunningEmbedded, openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { openDatabase } from '../../src/postgres/database.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { sql } from '../../src/postgres/sql.ts'
import { startCommitProxy } from '../support/commit-proxy.ts'
import { until } from '../support/until.ts'

for (const victim of ['the whole server', 'one of its processes'] as const) {
  test(`settles a COMMIT that a crash of ${victim} interrupts`, async (t) => {
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
    let backend_pid = 0
    const change = db.transaction(async (tx) => {
      const row = await tx.row<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      backend_pid = row!.pid
      tx.send(sql`update clock set offset_ms = offset_ms + 1`)
    })
    const outcome = change.then(
      () => 'acknowledged',
      (error) => error.code,
    )
    await commit.seen
    process.kill(victim === 'the whole server' ? postmaster_pid : backend_pid, 'SIGKILL')
    const result = await outcome
    let offset_ms: number | undefined
    await until(async () => {
      const read = direct.row<{ offset_ms: number }>(sql`select offset_ms from clock`)
      offset_ms = (await read.catch(() => undefined))?.offset_ms
      return offset_ms !== undefined
    }, 'the database is back')
    // If the recovery takes longer than the check, the outcome is unknown and nothing is repeated.
    assert.deepEqual(
      [result, offset_ms],
      offset_ms === 1 ? ['acknowledged', 1] : ['unavailable', 0],
    )
  })
}
