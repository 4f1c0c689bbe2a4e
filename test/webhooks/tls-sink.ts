import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A TLS receiver that counts requests. */
export async function startTlsSink(pair: { cert: string; key: string }) {
  const server = createServer(pair, (request, response) => {
    sink.requests += 1
    request.resume()
    response.end('ok')
  })
  server.on('tlsClientError', () => {})
  server.listen({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const sink = {
    port: (server.address() as AddressInfo).port,
    requests: 0,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return sink
}
