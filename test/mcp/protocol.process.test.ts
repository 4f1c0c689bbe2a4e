import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { version } from '../../src/version.ts'
import { runToEnd } from '../cli/florin-process.ts'
import { startFlorin } from '../support/florin.ts'
import { waitFor } from '../webhooks/run-dispatcher.ts'
import { client, startMcpClient } from './mcp-client.ts'

const florin = await startFlorin()
const args = ['--url', florin.url]

test('negotiates the protocol version: the requested one if known, else the newest', async (t) => {
  for (const [requested, agreed] of [
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2031-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ]) {
    const mcpClient = await startMcpClient(t, args, { skip_handshake: true })
    const hello = { protocolVersion: requested, capabilities: {}, clientInfo: client }
    const { result } = await mcpClient.request('initialize', hello)
    assert.equal(result.protocolVersion, agreed)
    assert.deepEqual(result.capabilities, { tools: {}, resources: {} })
    assert.deepEqual(result.serverInfo, { name: 'florin', title: 'Florin', version })
    assert.match(result.instructions, /read-only/)
  }
})

test('accepts only ping before the handshake', async (t) => {
  const mcpClient = await startMcpClient(t, args, { skip_handshake: true })
  assert.deepEqual((await mcpClient.request('ping')).result, {})
  const { error } = await mcpClient.request('tools/list')
  assert.equal(error.code, -32_600)
  assert.match(error.message, /initialize first/)
})

const meta = (protocolVersion: string, more: object = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': protocolVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  },
})

test('2026-07-28: each request states its version, without a handshake', async (t) => {
  const mcpClient = await startMcpClient(t, args, { skip_handshake: true })
  const found = (await mcpClient.request('server/discover', meta('2026-07-28'))).result
  assert.equal(found.resultType, 'complete')
  assert.deepEqual(found.supportedVersions, ['2026-07-28'])
  assert.deepEqual(found._meta['io.modelcontextprotocol/serverInfo'].name, 'florin')
  const { result } = await mcpClient.request('tools/list', meta('2026-07-28'))
  assert.ok(result.tools.length > 20)
  assert.deepEqual([result.ttlMs, result.cacheScope], [3_600_000, 'public'])
  const call = { name: 'isAlive', arguments: {}, ...meta('2026-07-28') }
  const called = (await mcpClient.request('tools/call', call)).result
  assert.deepEqual([called.resultType, called.isError], ['complete', undefined])

  const old = (await mcpClient.request('tools/list', meta('1900-01-01'))).error
  assert.equal(old.code, -32_022)
  assert.equal(old.data.requested, '1900-01-01')
  assert.ok(old.data.supported.includes('2026-07-28'))
  const bare = { 'io.modelcontextprotocol/clientCapabilities': undefined }
  assert.equal(
    (await mcpClient.request('tools/list', meta('2026-07-28', bare))).error.code,
    -32_602,
  )
  assert.equal((await mcpClient.request('server/discover')).error.code, -32_602)
  assert.equal((await mcpClient.request('ping', meta('2026-07-28'))).error.code, -32_601)
  const missing = { uri: 'florin://docs/nothing', ...meta('2026-07-28') }
  assert.equal((await mcpClient.request('resources/read', missing)).error.code, -32_602)
})

test('serves the handbook pages as resources, and no other files', async (t) => {
  const mcpClient = await startMcpClient(t, args)
  const { resources } = (await mcpClient.request('resources/list')).result
  assert.ok(resources.length >= 8)
  for (const { uri, mimeType, title, description } of resources) {
    const { contents } = (await mcpClient.request('resources/read', { uri })).result
    assert.deepEqual(Object.keys(contents[0]), ['uri', 'mimeType', 'text'])
    assert.deepEqual([contents[0].uri, contents[0].mimeType], [uri, mimeType])
    const page = await florin.call('GET', new URL(uri.replace('florin:/', 'http://x')).pathname)
    assert.equal(contents[0].text, page.text)
    assert.ok(contents[0].text.startsWith(`# ${title}\n`) && description.endsWith('.'))
  }
  for (const uri of ['florin://docs/guides/../../package.json', 'file:///etc/passwd', 7, null]) {
    assert.equal((await mcpClient.request('resources/read', { uri })).error.code, -32_002)
  }
  const templates = (await mcpClient.request('resources/templates/list')).result
  assert.deepEqual(templates, { resourceTemplates: [] })
})

test('reports an invalid message and serves the next one', async (t) => {
  const mcpClient = await startMcpClient(t, args, { skip_handshake: true })
  const wrong: [string, number, unknown][] = [
    ['{"jsonrpc":"2.0","id":1,', -32_700, null],
    ['not json', -32_700, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600, null],
    ['"ping"', -32_600, null],
    ['null', -32_600, null],
    ['{"id":1,"method":"ping"}', -32_600, 1],
    ['{"jsonrpc":"2.0","id":"a","method":7}', -32_600, 'a'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","id":2,"method":"ping","params":[1]}', -32_602, 2],
    [
      `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":"${'x'.repeat(1_100_000)}"}}`,
      -32_600,
      null,
    ],
    ['{"jsonrpc":"2.0","id":4,"method":"tools/destroy"}', -32_600, 4],
  ]
  for (const [line, code, id] of wrong) {
    mcpClient.write(line)
    const message = await mcpClient.next()
    assert.deepEqual([message.error?.code, message.id], [code, id], line.slice(0, 80))
    assert.equal(message.jsonrpc, '2.0')
  }
  await mcpClient.request('initialize', { protocolVersion: '2025-11-25' })
  const unknown = await mcpClient.request('tools/destroy')
  assert.deepEqual([unknown.error.code, unknown.result], [-32_601, undefined])
  const call = await mcpClient.request('tools/call', { name: 'isAlive', arguments: [1] })
  assert.equal(call.error.code, -32_602)

  // Notifications, unexpected responses and empty lines get no response.
  const before = mcpClient.received.length
  for (const line of [
    '',
    '{"jsonrpc":"2.0","method":"notifications/unknown"}',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"isAlive"}}',
    '{"jsonrpc":"2.0","id":9,"result":{}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}',
  ]) {
    mcpClient.write(line)
  }
  assert.deepEqual((await mcpClient.request('ping')).result, {})
  assert.equal(mcpClient.received.length, before + 1)
  assert.deepEqual(await mcpClient.end(), { code: 0, stderr: '' })
})

test('a canceled call is aborted and gets no response', async (t) => {
  const requests: ServerResponse[] = []
  let closed = 0
  const slow = createServer((_, response) => {
    requests.push(response)
    response.on('close', () => {
      closed += 1
    })
  })
  slow.listen({ host: '127.0.0.1', port: 0 })
  await once(slow, 'listening')
  t.after(() => {
    slow.closeAllConnections()
    slow.close()
  })
  const { port } = slow.address() as AddressInfo
  const mcpClient = await startMcpClient(t, ['--url', `http://127.0.0.1:${port}`])
  const call = (id: string) => {
    const params = { name: 'getBalance', arguments: {} }
    mcpClient.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  }
  call('slow')
  await waitFor('the request has arrived', () => requests.length === 1)
  const used = await mcpClient.request('ping', undefined, 'slow')
  assert.equal(used.error.message, 'A request with this id is in progress.')
  const params = { requestId: 'slow' }
  mcpClient.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
  await waitFor('the connection is closed', () => closed === 1)
  assert.deepEqual((await mcpClient.request('ping')).result, {})
  assert.equal(mcpClient.received.filter(({ id }) => id === 'slow').length, 1)

  // Closing stdin ends the process even if a call is still in progress.
  call('left')
  await waitFor('the second request has arrived', () => requests.length === 2)
  assert.deepEqual(await mcpClient.end(), { code: 0, stderr: '' })
})

test('rejects invalid options at startup', async () => {
  for (const [args, message] of [
    [['--url', 'ftp://example.com'], /^--url must be an http or https URL/],
    [['--url', 'https://user:secret@example.com'], /^--url must be/],
    [['--account', 'usr_1'], /^--account must be an account id/],
  ] as const) {
    const { code, stdout, stderr } = await runToEnd(['mcp', ...args])
    assert.deepEqual([code, stdout], [64, ''])
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /secret@/)
  }
})
