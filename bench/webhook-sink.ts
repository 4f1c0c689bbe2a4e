// A webhook receiver that responds immediately. `GET /count` returns the number of deliveries.

import { createServer } from 'node:http'

let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count))
    return
  }
  request.resume()
  request.on('end', () => {
    count += 1
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  console.log(JSON.stringify({ port: (server.address() as { port: number }).port }))
})
process.on('SIGTERM', () => process.exit(0))
