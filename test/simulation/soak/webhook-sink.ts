// Receives webhooks and only counts them.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface CountingSink {
  url: string
  readonly received: number
  close(): Promise<void>
}

export async function openCountingSink(): Promise<CountingSink> {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received += 1
      response.end('ok')
    })
  })
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    get received() {
      return received
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
