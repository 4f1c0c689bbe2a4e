// Tool results when the outcome of a change is unknown, and when nothing was sent.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { callTool } from '../../mcp/src/call-tool.ts'
import { FlorinServer } from '../../mcp/src/florin-server.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { startFaultProxy } from '../client/fault-proxy.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { startMcpClient } from './mcp-client.ts'

const florin = await startFlorin()
const proxy = await startFaultProxy(florin.url)
const owner = await florin.people.owner()
const { key } = await makeKey(florin, owner, ['*'])
const args = ['--url', proxy.url, '--key', key, '--allow-writes']

const payment = (reference: string) => ({
  account_id: owner.account_id,
  amount: 7_500,
  currency: 'USD',
  type: 'payment',
  reference,
})

async function countOf(reference: string): Promise<number> {
  const path = '/v1/transactions?limit=100'
  const { body } = await florin.call('GET', path, { token: owner.token })
  return body.data.filter((one: { reference: string }) => one.reference === reference).length
}

/** A client that has loaded the tools, so that faults concern the calls only. */
async function start(t: TestContext) {
  const mcpClient = await startMcpClient(t, args)
  await mcpClient.request('tools/list')
  proxy.requests.length = 0
  return mcpClient
}

const unknown =
  'The outcome is unknown: check with a list or get tool before you call this tool again.'

test('retries after an incomplete response, with the same key', async (t) => {
  const mcpClient = await start(t)
  proxy.canned.push({ status: 201, body: '{"id"', missing: 100 })
  const made = await mcpClient.call('createTransaction', payment('half'))
  assert.equal(made.isError, undefined, JSON.stringify(made))
  assert.equal(made.structuredContent.reference, 'half')
  const keys = proxy.keysSeen()
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
})

test('a lost response reports an unknown outcome for a change, not for a read', async (t) => {
  const mcpClient = await start(t)
  proxy.lose = 2
  const lost = await mcpClient.call('createTransaction', payment('lost'))
  assert.equal(lost.isError, true)
  assert.ok(lost.content[0].text.endsWith(unknown), lost.content[0].text)
  assert.equal(await countOf('lost'), 1)
  proxy.lose = 2
  const read = await mcpClient.call('listTransactions')
  assert.equal(read.isError, true)
  assert.doesNotMatch(read.content[0].text, /outcome is unknown/)
})

test('an error of the second attempt does not hide that the first was lost', async (t) => {
  const mcpClient = await start(t)
  for (const status of [503, 401, 429]) {
    proxy.refuse = 1
    proxy.canned.push({ status, body: '{"error":"refused","message":"No."}' })
    const { content } = await mcpClient.call('createTransaction', payment('hidden'))
    assert.equal(content[0].text, `${status} refused: No. ${unknown}`)
  }
  // A 4xx about the request proves that nothing was applied; a 5xx does not.
  proxy.refuse = 1
  const wrong = await mcpClient.call('createTransaction', { ...payment('wrong'), amount: -1 })
  assert.match(wrong.content[0].text, /^400 invalid_request: [^\n]*\(req_\w+\)$/)
  proxy.canned.push({ status: 500, body: '{"error":"internal_error","message":"Ours."}' })
  const failed = await mcpClient.call('createTransaction', payment('failed'))
  assert.equal(failed.content[0].text, `500 internal_error: Ours. ${unknown}`)
})

test('a timeout of a change reports an unknown outcome', async () => {
  const { signal } = new AbortController()
  const target = { url: proxy.url, credential: key, account: undefined }
  const tools = await new FlorinServer(target).tools(signal)
  const server = new FlorinServer({ ...target, timeout_ms: 200 })
  proxy.hang = 2
  const tool = tools.get('createTransaction')!
  const { content } = await callTool(tool, payment('late'), server, signal)
  assert.equal(content[0]!.text, `No response from ${proxy.url} within 0.2 s. ${unknown}`)
})

test('rejects a number out of range and sends nothing', async (t) => {
  const mcpClient = await start(t)
  const { id } = (await mcpClient.call('createTransaction', payment('big'))).structuredContent
  proxy.requests.length = 0
  const input = `{"transaction_id":"${id}","metadata":{"sizes":[1,{"big":1e400}]}}`
  const params = `{"name":"updateTransaction","arguments":${input}}`
  mcpClient.write(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${params}}`)
  await until(() => mcpClient.received.some((message) => message.id === 'big'))
  const { result } = mcpClient.received.find((message) => message.id === 'big')
  assert.equal(result.isError, true)
  assert.equal(
    result.content[0].text,
    '"big" is Infinity, which JSON would send as null. Nothing was sent.',
  )
  assert.deepEqual(proxy.requests, [])
})

test('reports a redirect and does not follow it', async (t) => {
  const mcpClient = await start(t)
  proxy.canned.push({ status: 301, headers: { location: 'http://127.0.0.1:9/' } })
  const { isError, content } = await mcpClient.call('getBalance')
  assert.equal(isError, true)
  assert.equal(content[0].text, `${proxy.url} returned a redirect (301). Set --url to its target.`)
  assert.equal(proxy.requests.length, 1)
})

test('starts while the server is down, and loads tools and pages when it is up', async (t) => {
  const mcpClient = await startMcpClient(t, args)
  for (const method of ['tools/list', 'resources/list']) {
    proxy.refuse = 2
    const { error } = await mcpClient.request(method)
    assert.equal(error.code, -32_603)
    assert.match(error.message, /^The connection to \S+ was lost \(\w+\)\.$/)
    assert.ok((await mcpClient.request(method)).result)
  }
  proxy.requests.length = 0
  await mcpClient.request('tools/list')
  await mcpClient.request('resources/list')
  assert.deepEqual(proxy.requests, [], 'loaded once')
})

test('rejects an empty --key or --token, which would override FLORIN_API_KEY', async () => {
  for (const option of ['--key', '--token']) {
    const env = { FLORIN_API_KEY: key }
    const { code, stdout, stderr } = await runToEnd(['mcp', option, ''], { env })
    assert.deepEqual([code, stdout], [64, ''])
    assert.equal(stderr, `${option} must not be empty. Set a value or omit it.\n`)
  }
})

test('rejects an invalid key or token at startup', async () => {
  const example = 'sk_live_…'
  for (const [name, input] of [
    ['FLORIN_API_KEY', { env: { FLORIN_API_KEY: example } }],
    ['--key', { args: ['--key', example] }],
    ['--token', { args: ['--token', 'fat_…'] }],
    ['--token', { args: ['--token', 'fat_one\nfat_two'] }],
  ] as const) {
    const { args: more = [], env = {} } = input as { args?: string[]; env?: Record<string, string> }
    const { code, stdout, stderr } = await runToEnd(['mcp', '--url', proxy.url, ...more], { env })
    assert.deepEqual([code, stdout], [64, ''], stderr)
    assert.match(stderr, new RegExp(`^${name} must be an (API key|access token): .*Nothing was`))
    assert.doesNotMatch(stderr, /…|fat_one/)
  }
  assert.deepEqual(proxy.requests, [])
})
