// Receives the webhooks of a run and records them.

import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recorder } from './record.ts'

interface WebhookSink {
  url: string
  close(): Promise<void>
}

export async function openWebhookSink(recorder: Recorder): Promise<WebhookSink> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    record(recorder, String(request.headers['webhook-id']), Buffer.concat(chunks).toString())
    response.end('ok')
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function record(recorder: Recorder, webhook_id: string, text: string): void {
  const { id, type, account_id, sequence, data } = JSON.parse(text)
  recorder.add({
    kind: 'webhook',
    at_ms: recorder.now(),
    account: account_id,
    event: id,
    sequence,
    type,
    object: data.id,
    // An update has a status too, but may be delivered after a later end.
    status: type.endsWith('.updated') ? 'pending' : data.status,
    webhook_id,
    body_hash: hash('sha256', text),
  })
}
