// Documentation for programs: /llms.txt, and the API reference as Markdown. docs.ts serves the
// Markdown version of the other pages.

import type { FastifyInstance } from 'fastify'
import type { ApiDescription } from '../openapi/api-description.ts'
import { llmsFullText, llmsText } from '../openapi/llms-text.ts'
import { readPages } from '../openapi/pages.ts'
import { referenceText } from '../openapi/reference-text.ts'
import { page, type Route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { documentOnce, sendDocument } from '../send-document.ts'

const plain = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'

// These change only with Florin's version. Afterwards clients revalidate by ETag.
const caching = 'public, max-age=300'

export function handbookRoutes(app: FastifyInstance, { public_url }: RouteContext): Route[] {
  const pages = readPages()
  const api = () => app.swagger() as unknown as ApiDescription
  return [
    documentPage('/docs/reference.md', markdown, () => referenceText(api())),
    documentPage('/llms.txt', plain, () => llmsText(pages, api(), public_url)),
    documentPage('/llms-full.txt', plain, () => llmsFullText(pages, api())),
  ]
}

function documentPage(url: string, type: string, write: () => string): Route {
  const find = documentOnce(type, write)
  return page({
    method: 'GET',
    url,
    access: { token: 'never' },
    quiet: true,
    handler: (request, _, reply) =>
      sendDocument(request, reply.header('cache-control', caching), find()),
  })
}
