// Three servers on the cluster of docs/guides/high-availability.md, with its configuration files.
// Under load, Patroni switches over, and the primary is lost with SIGKILL.
//
// The checks of a chaos run then cover every request: all acknowledged writes are stored, none
// twice, and `florin verify` finds no difference. Webhooks: every event of the accounts with an
// endpoint was received; each delivery has the id of a committed event as webhook-id. A delivery is
// repeated, with the same bytes, only if a fault may have prevented the worker from recording it.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { without_patroni } from '../support/patroni-cluster.ts'
import { describeFailover, failoverTimes } from './failover-times.ts'
import { readOptions } from './options.ts'
import { runRound } from './round.ts'
import { Guard } from './servers/guard-client.ts'

test('a switchover and a lost primary lose nothing, and repeat nothing', {
  skip: without_patroni,
}, async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-patroni-history-'))
  t.after(() => rm(directory, { recursive: true }))
  const guard = new Guard()
  t.after(() => guard.end())
  // Two clients send more than a hundred writes; more only use more CPU time.
  const clients = process.env.FLORIN_LONG ? '6' : '2'
  const args = ['--patroni', '--instances', '3', '--clients', clients, '--seconds', '10']
  const { violations, history, counts } = await runRound(readOptions(args), guard, directory)
  const times = failoverTimes(history)
  for (const one of times) t.diagnostic(describeFailover(one))
  const received = counts.webhooks - counts.repeated_webhooks
  t.diagnostic(
    `${counts.acknowledged} writes acknowledged, ${counts.in_doubt} in doubt, ` +
      `${received} events in ${counts.webhooks} webhooks`,
  )
  assert.deepEqual(violations, [])
  assert.deepEqual(times.map(({ name }) => name).toSorted(), ['lose-primary', 'switch-over'])
  assert.deepEqual([counts.servers_used, counts.failovers], [3, 2])
  assert.ok(counts.acknowledged > 100, `${counts.acknowledged} writes`)
  assert.ok(received > 10, `${received} events`)
})
