// The yardstick for Florin: a bare node:http server that parses the JSON body, if any, and responds
// with JSON of the same size as Florin's response. No framework, no database.

import { createServer } from 'node:http'

const fixed_response = process.argv[2] ?? '{}'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = String(Buffer.concat(chunks))
    const text = body === '' ? fixed_response : JSON.stringify(JSON.parse(body))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : undefined }))
})
