// Uploaded files. Their noun reads them while they arrive, so that a malformed file is rejected at
// its first error and no file is in memory as a whole.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type MeteredBody, tooLarge } from './json-body.ts'
import { unitsOfBody } from './rate-limit.ts'

/** What a route with `file: true` receives as its body. Undefined if the request has none. */
export type FileBody = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export function readFiles(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/octet-stream', async (request: FastifyRequest) => {
    const chunks = readChunks(request)
    if (request.headers['idempotency-key'] === undefined) return chunks
    // The key belongs to these bytes, and is looked up before the change starts.
    const body = Buffer.concat(await Array.fromAsync(chunks))
    request.body_bytes = body
    return [body]
  })
}

async function* readChunks(request: FastifyRequest): AsyncGenerator<Buffer> {
  const { raw, routeOptions } = request
  try {
    // To destroy the request at an error in the file would close the connection before the
    // response. The rest is read and discarded instead.
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      request.body_length += (chunk as Buffer).length
      const { receivedEncodedLength = request.body_length } = raw as MeteredBody
      if (receivedEncodedLength > routeOptions.bodyLimit) throw tooLarge(request)
      yield chunk as Buffer
    }
  } finally {
    raw.resume()
  }
  // Admission charged what the headers state, which is nothing for a chunked body.
  const units = unitsOfBody(request.body_length)
  if (request.headers['transfer-encoding'] !== undefined && units > 1) request.charge(units - 1)
}
