// The documentation for programs is complete and has no broken links.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { firstSentence, readPages } from '../../src/http/openapi/pages.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const docs = new URL('../../docs/', import.meta.url)

function namesIn(folder: string): string[] {
  return readdirSync(new URL(folder, docs)).filter((name) => name.endsWith('.md'))
}

const read = (path: string, headers: Record<string, string> = {}) =>
  florin.call('GET', path, { headers })

test('/llms.txt has the form of llmstxt.org, and links every guide and concept', async () => {
  const response = await read('/llms.txt')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const [title, blank, quote] = response.text.split('\n')
  assert.deepEqual([title, blank], ['# Florin', ''])
  assert.match(quote!, /^> Florin is a self-hosted payments back end/)
  const headings = [...response.text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  assert.deepEqual(headings, ['Guides', 'Concepts', 'Reference', 'Optional'])
  for (const line of response.text.slice(response.text.indexOf('## ')).split('\n')) {
    assert.match(line, /^$|^## \w+$|^- \[[^\]]+\]\(http[^)]+\): .+\.$/)
  }
  for (const folder of ['guides', 'concepts', 'reference']) {
    for (const name of namesIn(folder)) {
      assert.ok(response.text.includes(`${florin.config.public_url}/docs/${folder}/${name})`), name)
    }
  }
})

test('every page has a Markdown version without broken links', async () => {
  for (const folder of ['guides', 'concepts', 'reference', 'decisions']) {
    for (const name of namesIn(folder)) {
      const path = `/docs/${folder}/${name}`
      const response = await read(path)
      assert.equal(response.status, 200, path)
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8')
      const source = readFileSync(new URL(`${folder}/${name}`, docs), 'utf8')
      assert.equal(
        response.text,
        source.replaceAll('../reference/openapi.json', '../../openapi.json'),
      )
      for (const [, target] of response.text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        if (/^https?:/.test(target!)) continue
        const linked = new URL(target!, `${florin.url}${path}`)
        assert.equal((await read(linked.pathname)).status, 200, `${path} links ${target}`)
      }
    }
  }
})

test('the reference describes every operation and every body field', async () => {
  const { text, status, headers } = await read('/docs/reference.md')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8'])
  const api = (await read('/openapi.json')).body
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const method of Object.keys(methods as object)) {
      assert.ok(text.includes(`### ${method.toUpperCase()} ${path}\n`), `${method} ${path}`)
    }
  }
  const create = text.split('### ').find((part) => part.startsWith('POST /v1/transactions\n'))!
  assert.match(create, /\n- `amount` \(integer, 1–999999999999, required\): The amount in minor/)
  assert.match(create, /\n- `reference` \(string or null, up to 255 characters\): Your reference/)
  assert.match(create, /\n- `type` \("payment" \| "credit" \| "refund", required\)/)
  assert.match(create, /\n- `402`: `insufficient_funds`: A refund is larger/)
  assert.match(text, /\n- `limit` \(query, integer, 1 or more, default 20\): The maximum number/)
  assert.match(
    text,
    /\n- `scopes` \(array of "accounts:read" \| .*, 1–50 items, required\): The permissions/,
  )
  assert.match(text, /\n {2}- `object` \("list"/)
  assert.doesNotMatch(text, /undefined|\[object Object\]/)
})

test('/llms-full.txt contains every page', async () => {
  const full = await read('/llms-full.txt')
  const guides = namesIn('guides').map((name) => `/docs/guides/${name}`)
  const concepts = namesIn('concepts').map((name) => `/docs/concepts/${name}`)
  const reference = namesIn('reference').map((name) => `/docs/reference/${name}`)
  for (const path of [...guides, ...concepts, ...reference, '/docs/reference.md']) {
    assert.ok(full.text.includes((await read(path)).text), path)
  }
})

test('returns 304 for a current page', async () => {
  for (const path of [
    '/llms.txt',
    '/llms-full.txt',
    '/docs/reference.md',
    '/docs/guides/move-money.md',
  ]) {
    const first = await read(path)
    const tag = first.headers.get('etag')!
    assert.match(tag, /^"[\w-]{22}"$/)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await read(path, { 'if-none-match': known })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', tag])
    }
    assert.equal((await read(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('an unlisted name reaches no file', async () => {
  for (const name of [
    'nothing.md',
    '../../package.json',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..%5c..%5cpackage.json',
    'move-money.md%00.txt',
    'move-money.md/',
    'MOVE-MONEY.md',
  ]) {
    const response = await fetch(`${florin.url}/docs/guides/${name}`)
    const text = await response.text()
    assert.equal(response.status, 404, name)
    assert.doesNotMatch(text, /"dependencies"|# Move money/)
  }
  const missing = await read('/docs/guides/nothing.md')
  assert.deepEqual(missing.body.error, 'not_found')
  const wrong = await florin.call('POST', '/llms.txt')
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD'])
})

test('a summary is the first sentence of the first paragraph', () => {
  const page = '# Title\n\nIt [does](x.md) one\nthing. And more.\n'
  assert.equal(firstSentence(page), 'It does one thing.')
  assert.equal(firstSentence('# T\n\n```sh\nx\n\ny\n```\n\nStart it:\n'), 'Start it.')
  assert.equal(firstSentence('# T\n\n`florin` does it. And more.\n'), '`florin` does it.')
})

test('every summary describes its page', async () => {
  for (const { path, summary } of readPages()) {
    assert.match(summary, /^\S.{12,}[.;]$/, path)
    assert.doesNotMatch(summary, /below|on this page/, path)
  }
})
