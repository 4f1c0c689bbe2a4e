// Names whose servers answer half of what they are asked, as an endpoint's owner could arrange it.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { resolverFor } from '../../src/webhooks/sending/resolve-host.ts'

// A name server that knows nothing: it has no data, and to AAAA of slow names it says nothing.
const socket = createSocket('udp4')
socket.on('message', (asked, { port, address }) => {
  const name_end = asked.indexOf(0, 12)
  const is_aaaa = asked.readUInt16BE(name_end + 1) === 28
  if (is_aaaa && asked.includes('slow')) return
  const response = Buffer.from(asked)
  response.writeUInt16BE(0x8180, 2)
  socket.send(response, port, address)
})
socket.bind(0, '127.0.0.1')
await once(socket, 'listening')
after(() => socket.close())
const servers = [`127.0.0.1:${socket.address().port}`]
const closed = { loopback: false, has_networks: false }
const opened = { loopback: true, has_networks: false }

function countingLookup() {
  const counts = { asked: 0, at_once: 0, most: 0 }
  const lookup = async (hostname: string) => {
    counts.asked += 1
    counts.most = Math.max(counts.most, ++counts.at_once)
    await new Promise((done) => setTimeout(done, 20))
    counts.at_once -= 1
    if (hostname === 'gone.example.com') throw new Error('there is none')
    return ['127.0.0.1']
  }
  return { counts, lookup }
}

test('a name that is nowhere is asked of the system where something is opened', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(opened, { servers, lookup })
  assert.deepEqual(await resolve('till.example.com'), ['127.0.0.1'])
  assert.equal(counts.asked, 1)
})

test('a name that was slow to response is not asked of the system', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(opened, { servers, lookup })
  await assert.rejects(resolve('slow.example.com'))
  assert.equal(counts.asked, 0)
})

test('where nothing is opened the system is asked nothing', async () => {
  const { counts, lookup } = countingLookup()
  await assert.rejects(resolverFor(closed, { servers, lookup })('till.example.com'))
  assert.equal(counts.asked, 0)
})

test('the system is asked one name at a time, and goes on after one that fails', async () => {
  const { counts, lookup } = countingLookup()
  const resolve = resolverFor(opened, { servers, lookup })
  const names = ['gone.example.com', 'one.example.com', 'two.example.com']
  const ended = await Promise.allSettled(names.map((name) => resolve(name)))
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual([counts.asked, counts.most], [3, 1])
})
