// The documentation for people: every page renders, every link and anchor resolves, and no page
// is large.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlPath, renderMarkdown } from '../../src/http/docs/render-markdown.ts'
import { readPages } from '../../src/http/openapi/pages.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

const read = (path: string, headers: Record<string, string> = {}) =>
  florin.call('GET', path, { headers })

const tags = [...new Set(await tagsOf())]
const api_pages = tags.map((name) => `/docs/api/${name.toLowerCase().replaceAll(' ', '-')}`)
const all_paths = [
  '/docs',
  '/docs/api',
  '/docs/search?q=refund',
  ...readPages().map(({ path }) => htmlPath(path)),
  ...api_pages,
]

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
}

async function operations(): Promise<[path: string, method: string, Operation][]> {
  const paths: Record<string, Record<string, Operation>> = (await read('/openapi.json')).body.paths
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): [string, string, Operation] => [
      path,
      method,
      one,
    ]),
  )
}

async function tagsOf(): Promise<string[]> {
  return (await operations()).map(([, , { tags }]) => tags[0]!)
}

const texts = new Map<string, string>()

async function textOf(path: string): Promise<string> {
  const known = texts.get(path)
  if (known !== undefined) return known
  const { status, text } = await read(path)
  assert.equal(status, 200, path)
  texts.set(path, text)
  return text
}

test('every page has a title, a strict policy and few bytes', async () => {
  assert.ok(all_paths.length > 70)
  for (const path of [...all_paths, '/docs/']) {
    const response = await read(path)
    assert.equal(response.status, 200, path)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'; style-src/)
    assert.doesNotMatch(response.headers.get('content-security-policy')!, /unsafe|http|\*/)
    assert.equal([...response.text.matchAll(/<h1>/g)].length, 1, path)
    assert.doesNotMatch(response.text, />undefined<|\[object Object\]|<script>|style="/, path)
  }
})

test('a page and its files are under 200 kB over the wire', async () => {
  const sizeOf = async (path: string) => {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await fetch(florin.url + path, { headers })
    await response.arrayBuffer()
    return Number(response.headers.get('content-length'))
  }
  const files = await Promise.all(['/docs.css', '/docs.js', '/favicon.svg'].map(sizeOf))
  const shared = files.reduce((sum, size) => sum + size, 0)
  assert.ok(shared > 1_000 && shared < 20_000, `${shared} bytes of shared files`)
  for (const path of all_paths.filter((one) => !one.includes('?'))) {
    const size = (await sizeOf(path)) + shared
    assert.ok(size > shared + 500 && size < 200_000, `${path} is ${size} bytes`)
  }
})

test('every internal link and anchor resolves', async () => {
  for (const path of all_paths) {
    const text = await textOf(path)
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`)
    for (const [, href] of text.matchAll(/ href="([^"]*)"/g)) {
      if (/^https?:/.test(href!)) continue
      const { pathname, hash } = new URL(href!, `${florin.url}${path}`)
      const target = hash === '' ? undefined : await textOf(pathname)
      if (target === undefined) await requirePage(pathname, path)
      else assert.ok(target.includes(` id="${hash.slice(1)}"`), `${path} links ${href}`)
    }
  }
})

const reached = new Set<string>()

async function requirePage(pathname: string, from: string): Promise<void> {
  // The dashboard may not be built.
  if (reached.has(pathname) || pathname === '/dashboard') return
  assert.equal((await read(pathname)).status, 200, `${from} links ${pathname}`)
  reached.add(pathname)
}

test('the navigation reaches every guide, concept and reference page', async () => {
  const text = await textOf('/docs')
  for (const { folder, path } of readPages()) {
    if (folder === 'decisions') continue
    assert.ok(text.includes(`href="${htmlPath(path)}"`), path)
  }
  const quickstart = text.indexOf('href="/docs/guides/quickstart"')
  assert.ok(quickstart > 0 && quickstart < text.indexOf('href="/docs/guides/move-money"'))
  const decisions = await textOf('/docs/decisions')
  for (const { folder, path, name } of readPages()) {
    if (folder !== 'decisions' || name === 'README') continue
    assert.ok(decisions.includes(`href="${htmlPath(path)}"`), path)
  }
})

test('the API reference shows every operation with its fields, errors and examples', async () => {
  for (const [path, method, operation] of await operations()) {
    const page = await textOf(api_pages[tags.indexOf(operation.tags[0]!)]!)
    const section = page
      .split('<section class="operation"')
      .find((part) => part.includes(`<h2 id="${operation.operationId}">`))
    assert.ok(section, operation.operationId)
    assert.ok(section.includes(`>${method.toUpperCase()}</b><code>${path}</code>`), path)
    assert.match(section, /<code>curl /)
    assert.match(
      section,
      /<code>(const result = await|for await \(const \w+ of) florin\.\w+\.\w+\(/,
    )
    const schema = operation.requestBody?.content['application/json']?.schema
    for (const name of Object.keys(schema?.properties ?? {})) {
      assert.ok(section.includes(`<code>${name}</code>`), `${operation.operationId} ${name}`)
    }
  }
  const payments = await textOf('/docs/api/payments')
  assert.match(payments, /<code>insufficient|<code>invalid_request<\/code>/)
  assert.match(payments, /florin\.payments\.create\(\{\n {2}account_id: &#39;acct_/)
  assert.match(
    payments,
    /curl http[^\n]*\/v1\/payments \\\n {2}-H &quot;Authorization: Bearer \$TOKEN/,
  )
})

test('search finds pages, sections and operations by word', async () => {
  const found = async (query: string) => {
    const { text } = await read(`/docs/search?q=${encodeURIComponent(query)}`)
    const list = text.slice(text.indexOf('class="found"'), text.indexOf('class="neighbors"'))
    return [...list.matchAll(/<li><a href="([^"]*)"/g)].map(([, href]) => href!)
  }
  assert.ok((await found('FLORIN_SMTP_URL')).some((href) => href.startsWith('/docs/reference/')))
  assert.ok((await found('refund a payment')).includes('/docs/guides/move-money#refund-a-payment'))
  assert.ok((await found('createPayment payment request')).length === 0)
  assert.ok((await found('Create a payment request')).includes('/docs/api/payments#createPayment'))
  assert.ok((await found('IDEMPOTENCY')).length > 3)
  assert.deepEqual(await found('zzyzx'), [])
  assert.deepEqual(await found(''), [])
})

test('search shows the query as text', async () => {
  const { text } = await read(`/docs/search?q=${encodeURIComponent('<b>"refund" .*(')}`)
  assert.match(text, /value="&lt;b&gt;&quot;refund&quot; \.\*\("/)
  assert.doesNotMatch(text, /<b>"/)
  for (const query of ['q=a&q=b', 'q=%ff', 'q', `q=${'x '.repeat(2_000)}`, 'q=%00', 'other=1']) {
    assert.equal((await read(`/docs/search?${query}`)).status, 200, query)
  }
})

test('raw HTML in Markdown is shown as text, and links lead to pages', () => {
  const source = [
    '# A <script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'See [b](../concepts/b.md#part), [all](../decisions/README.md), <i>c</i>,',
    '[x](https://example.com/a.md) and [api](../reference.md).',
    '## One\n## One',
  ]
  const { content, headings } = renderMarkdown(source.join('\n\n'), '/docs/guides/a.md')
  assert.doesNotMatch(content.text, /<(script|img|i)\b/)
  assert.match(content.text, /&lt;img src=x onerror=alert\(1\)&gt;/)
  assert.match(content.text, /href="\/docs\/concepts\/b#part"/)
  assert.match(content.text, /href="\/docs\/decisions"/)
  assert.match(content.text, /href="https:\/\/example\.com\/a\.md"/)
  assert.match(content.text, /href="\/docs\/api"/)
  assert.deepEqual(
    headings.map(({ id }) => id),
    ['one', 'one-1'],
  )
})

test('a state diagram becomes a table', () => {
  const source = '```mermaid\nstateDiagram-v2\n  [*] --> open: create\n  open --> [*]\n```\n'
  const { content } = renderMarkdown(source, '/docs/concepts/a.md')
  assert.match(content.text, /<td>new<\/td><td><code>open<\/code><\/td>\s*<td>create<\/td>/)
  assert.throws(() => renderMarkdown('```mermaid\ngraph LR\n```', '/'), /only state diagrams/)
})

test('returns an HTML page for an unknown path', async () => {
  for (const path of ['/docs/nothing', '/docs/api/nothing', '/docs/guides/nothing']) {
    const missing = await read(path)
    assert.equal(missing.status, 404, path)
    assert.match(missing.text, /Page not found/)
  }
})
