// The documentation for people at /docs: the pages of docs/, the API reference and search. Pages
// are rendered on first request and compressed once. They share one route, because every route
// costs a start about a millisecond. Pages are found in a map, so no file is looked up by a name
// from a request.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { docsFrame, docsPolicy } from '../../pages/docs-frame.ts'
import type { Markup } from '../../primitives/markup.ts'
import { apiIndex, apiNavigation, apiTagPage, apiTags } from '../docs/api-pages.ts'
import { docsIndex, docsPage, navigationOf } from '../docs/docs-pages.ts'
import { htmlPath } from '../docs/render-markdown.ts'
import { buildIndex, searchDocs, searchPage } from '../docs/search-docs.ts'
import { HttpFault } from '../http-fault.ts'
import type { ApiDescription } from '../openapi/api-description.ts'
import { type Page, readPages } from '../openapi/pages.ts'
import { page, type Route } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { documentOnce, sendDocument } from '../send-document.ts'

const document = { method: 'GET', access: { token: 'never' } } as const
const type = 'text/html; charset=utf-8'

// These change only with Florin's version. Afterwards clients revalidate by ETag.
const caching = 'public, max-age=300'

export function docsRoutes(app: FastifyInstance, { public_url }: RouteContext): Route[] {
  const pages = readPages()
  const navigation = navigationOf(pages)
  const api = once(() => app.swagger() as unknown as ApiDescription)
  const tags = once(() => apiTags(api()))
  return [
    ...['/docs', '/docs/'].map((url) => docsRoute(url, () => docsIndex(pages, navigation))),
    docsPageRoute(pages, navigation),
    docsRoute('/docs/api', () =>
      apiFrame('API reference', '/docs/api', apiNavigation(tags()), () =>
        apiIndex(api(), tags(), public_url),
      ),
    ),
    apiTagRoute(tags, public_url),
    searchRoute(navigation, () => buildIndex(pages, tags())),
  ]
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** The pages of docs/, as HTML and as Markdown. */
function docsPageRoute(pages: Page[], navigation: ReturnType<typeof navigationOf>): Route {
  const html = new Map(
    pages.map((one) => [
      htmlPath(one.path),
      documentOnce(type, () => docsPage(one, navigation).text),
    ]),
  )
  const markdown = new Map(
    pages.map(({ path, text }) => [path, documentOnce('text/markdown; charset=utf-8', () => text)]),
  )
  return page({
    ...document,
    url: '/docs/*',
    quiet: true,
    handler: (request, _, reply) => {
      const path = `/docs/${(request.params as { '*': string })['*']}`
      const source = markdown.get(path)
      if (source) return sendDocument(request, reply.header('cache-control', caching), source())
      const found = html.get(path)
      if (found) return sendDocument(request, docsHeaders(reply), found())
      throw new HttpFault(404, 'No such page. /docs lists all pages.')
    },
  })
}

function docsRoute(url: string, render: () => Markup): Route {
  const find = documentOnce(type, () => render().text)
  return page({
    ...document,
    url,
    handler: (request, _, reply) => sendDocument(request, docsHeaders(reply), find()),
  })
}

function docsHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'content-security-policy': docsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': caching,
  })
}

function apiFrame(
  title: string,
  path: string,
  navigation: ReturnType<typeof apiNavigation>,
  content: () => Markup,
): Markup {
  const markdown = '/docs/reference.md'
  return docsFrame({ title, path, part: 'api', navigation, content: content(), markdown })
}

/** The tags are known when all routes are registered, so their pages share one route. */
function apiTagRoute(tags: () => ReturnType<typeof apiTags>, public_url: string): Route {
  const documents = once(() => {
    const entries = tags().map((tag) => {
      const navigation = apiNavigation(tags(), tag)
      const render = () =>
        apiFrame(`${tag.name} API`, tag.path, navigation, () => apiTagPage(tag, public_url)).text
      return [tag.path, documentOnce(type, render)] as const
    })
    return new Map(entries)
  })
  return page({
    ...document,
    url: '/docs/api/:tag',
    handler: (request, _, reply) => {
      const { tag } = request.params as { tag: string }
      const find = documents().get(`/docs/api/${tag}`)
      if (find === undefined) throw new HttpFault(404, 'No such page. /docs/api lists all pages.')
      return sendDocument(request, docsHeaders(reply), find())
    },
  })
}

const query_max = 100

function searchRoute(
  navigation: ReturnType<typeof navigationOf>,
  build: () => ReturnType<typeof buildIndex>,
): Route {
  const index = once(build)
  return page({
    ...document,
    url: '/docs/search',
    handler: (request, _, reply) => {
      const { q } = request.query as { q?: unknown }
      const query = typeof q === 'string' && q.isWellFormed() ? q.trim().slice(0, query_max) : ''
      const content = searchPage(query, searchDocs(index(), query))
      const title = query === '' ? 'Search' : `${query} · Search`
      const path = '/docs/search'
      const frame = docsFrame({ title, path, part: 'guides', navigation, content, query })
      return docsHeaders(reply).header('cache-control', 'no-store').type(type).send(frame.text)
    },
  })
}
