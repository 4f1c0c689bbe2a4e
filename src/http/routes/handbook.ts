// What machines read: /llms.txt, and a Markdown twin of each guide and of the reference. Each page
// has a route of its own, so no name that is sent is ever looked for.

import { hash } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDescription } from '../../handbook/api-description.ts'
import { llmsFullText, llmsText } from '../../handbook/llms-text.ts'
import { readPages } from '../../handbook/pages.ts'
import { referenceText } from '../../handbook/reference-text.ts'

const options = {
  config: { access: { token: 'uncounted' }, quiet: true },
  schema: { hide: true },
} as const

const plain = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

// These change with Florin's version only; whoever has one asks whether it is still the same.
const caching = 'public, max-age=300'

export function handbookRoutes(parts: { public_url: string }): FastifyPluginAsync {
  return async (app) => {
    const pages = readPages()
    const api = () => app.swagger() as unknown as ApiDescription
    const serve = (path: string, type: string, write: () => string) => {
      const file = once(write)
      app.get(path, options, (request, reply) => sendFile(request, reply, { type, ...file() }))
    }
    for (const { path, text } of pages) serve(path, markdown, () => text)
    serve('/docs/reference.md', markdown, () => referenceText(api()))
    serve('/llms.txt', plain, () => llmsText(pages, api(), parts.public_url))
    serve('/llms-full.txt', plain, () => llmsFullText(pages, api()))
  }
}

interface File {
  text: string
  tag: string
}

/** Written at the first request: routes that come after this one are part of the reference. */
function once(write: () => string): () => File {
  let file: File | undefined
  return () => {
    if (file === undefined) {
      const text = write()
      file = { text, tag: `"${hash('sha256', text, 'base64url').slice(0, 22)}"` }
    }
    return file
  }
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, tag }: File & { type: string },
): FastifyReply {
  reply.headers({ etag: tag, 'cache-control': caching })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type(type).send(text)
}

function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map((part) => part.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
