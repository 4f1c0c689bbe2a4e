// Endless responses outside of the body: the client limits the bytes it reads.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { addressPolicy } from '../../src/webhooks/address-policy.ts'
import { DeliveryError, openWebhookClient } from '../../src/webhooks/sending/webhook-client.ts'

/** Sends a prefix, then repeats a chunk until the client disconnects. */
async function startEndless(t: TestContext, prefix: string, chunk: string) {
  const sockets = new Set<Socket>()
  const counted = { bytes: 0 }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => {
      socket.write(prefix)
      const more = () => {
        while (!socket.destroyed) {
          counted.bytes += chunk.length
          if (!socket.write(chunk)) return void socket.once('drain', more)
        }
      }
      more()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const webhookClient = openWebhookClient(addressPolicy(readConfig({})), { timeout_ms: 10_000 })
  t.after(() => webhookClient.disconnect())
  const post = () =>
    webhookClient.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' })
  return { post, counted }
}

// The limit for the first seconds plus socket buffers.
const bytes_max = 100 * 1_048_576

test('limits the bytes of chunk extensions', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  const { post, counted } = await startEndless(t, head, `1;a=${'x'.repeat(60_000)}\r\nz\r\n`)
  const { status, body } = await post()
  assert.deepEqual([status, /^z*$/.test(body.toString())], [200, true])
  assert.ok(counted.bytes < bytes_max, `${counted.bytes} bytes`)
})

test('limits the bytes of interim (1xx) responses', async (t) => {
  const interim = `HTTP/1.1 103 Early Hints\r\nlink: <${'x'.repeat(8_000)}>\r\n\r\n`
  const { post, counted } = await startEndless(t, interim, interim)
  await assert.rejects(post(), DeliveryError)
  assert.ok(counted.bytes < bytes_max, `${counted.bytes} bytes`)
})
