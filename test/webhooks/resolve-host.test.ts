// Name servers that respond to only some queries, which an endpoint's owner could set up.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { resolverFor } from '../../src/webhooks/sending/resolve-host.ts'

// A name server that returns no data, and does not respond to AAAA queries for slow names.
const socket = createSocket('udp4')
socket.on('message', (query, { port, address }) => {
  const name_end = query.indexOf(0, 12)
  const is_aaaa = query.readUInt16BE(name_end + 1) === 28
  if (is_aaaa && query.includes('slow')) return
  const response = Buffer.from(query)
  response.writeUInt16BE(0x8180, 2)
  socket.send(response, port, address)
})
socket.bind(0, '127.0.0.1')
await once(socket, 'listening')
after(() => socket.close())
const servers = [`127.0.0.1:${socket.address().port}`]
const public_only = { loopback: false, has_networks: false }
const with_loopback = { loopback: true, has_networks: false }

function countingLookup() {
  const counts = { lookups: 0, concurrent: 0, concurrent_max: 0 }
  const lookup = async (hostname: string) => {
    counts.lookups += 1
    counts.concurrent_max = Math.max(counts.concurrent_max, ++counts.concurrent)
    await new Promise((done) => setTimeout(done, 20))
    counts.concurrent -= 1
    if (hostname === 'gone.example.com') throw new Error('not found')
    return ['127.0.0.1']
  }
  return { counts, lookup }
}

test('uses the system resolver for unknown names if private addresses are allowed', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(with_loopback, { servers, lookup })
  assert.deepEqual(await resolve('till.example.com'), ['127.0.0.1'])
  assert.equal(counts.lookups, 1)
})

test('does not use the system resolver for a name that timed out', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(with_loopback, { servers, lookup })
  await assert.rejects(resolve('slow.example.com'))
  assert.equal(counts.lookups, 0)
})

test('does not use the system resolver if only public addresses are allowed', async () => {
  const { counts, lookup } = countingLookup()
  await assert.rejects(resolverFor(public_only, { servers, lookup })('till.example.com'))
  assert.equal(counts.lookups, 0)
})

test('uses the system resolver for one name at a time, even after a failure', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(with_loopback, { servers, lookup })
  const names = ['gone.example.com', 'one.example.com', 'two.example.com']
  const results = await Promise.allSettled(names.map((name) => resolve(name)))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual([counts.lookups, counts.concurrent_max], [3, 1])
})
