// Documentation for programs: /llms.txt, and a Markdown version of each guide and the reference.
// Each page has a fixed route, so no file is looked up by a name from a request.

import type { FastifyPluginAsync } from 'fastify'
import type { ApiDescription } from '../openapi/api-description.ts'
import { llmsFullText, llmsText } from '../openapi/llms-text.ts'
import { readPages } from '../openapi/pages.ts'
import { referenceText } from '../openapi/reference-text.ts'
import { documentOnce, sendDocument } from '../send-document.ts'

const options = {
  config: { access: { token: 'never' }, quiet: true },
  schema: { hide: true },
} as const

const plain = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

// These change only with Florin's version. Afterwards clients revalidate by ETag.
const caching = 'public, max-age=300'

export function handbookRoutes(parts: { public_url: string }): FastifyPluginAsync {
  return async (app) => {
    const pages = readPages()
    const api = () => app.swagger() as unknown as ApiDescription
    const serve = (path: string, type: string, write: () => string) => {
      const find = documentOnce(type, write)
      app.get(path, options, (request, reply) =>
        sendDocument(request, reply.header('cache-control', caching), find()),
      )
    }
    for (const { path, text } of pages) serve(path, markdown, () => text)
    serve('/docs/reference.md', markdown, () => referenceText(api()))
    serve('/llms.txt', plain, () => llmsText(pages, api(), parts.public_url))
    serve('/llms-full.txt', plain, () => llmsFullText(pages, api()))
  }
}
