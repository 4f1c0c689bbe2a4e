import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Message, startMcpClient } from './mcp-client.ts'

const florin = await startFlorin()
const { url } = florin

async function keyFor(scopes: string[]) {
  const owner = await florin.people.owner()
  return { owner, key: (await makeKey(florin, owner, scopes)).key }
}

test('without --allow-writes it offers only reads and rejects changes', async (t) => {
  const { owner, key } = await keyFor(['*'])
  const mcpClient = await startMcpClient(t, ['--url', url], { env: { FLORIN_API_KEY: key } })
  const { tools } = (await mcpClient.request('tools/list')).result
  assert.ok(tools.length > 20)
  for (const tool of tools) {
    assert.match(tool.name, /^[A-Za-z]{1,64}$/)
    assert.equal(tool.annotations.readOnlyHint, true, tool.name)
    assert.equal(tool.inputSchema.type, 'object')
    assert.equal(tool.inputSchema.additionalProperties, false)
    assert.ok(tool.description.length > 20)
  }
  const args = { account_id: owner.account_id, amount: 100, currency: 'USD', type: 'payment' }
  const refused = await mcpClient.call('createTransaction', args)
  assert.equal(refused.isError, true)
  assert.match(refused.content[0].text, /read-only.*--allow-writes/)
  const list = await mcpClient.call('listTransactions')
  assert.deepEqual(list.structuredContent.data, [])
  assert.deepEqual(JSON.parse(list.content[0].text), list.structuredContent)
  assert.deepEqual(await mcpClient.end(), { code: 0, stderr: '' })
})

test('with --allow-writes every call makes a change with a new Idempotency-Key', async (t) => {
  const { owner, key } = await keyFor(['*'])
  const mcpClient = await startMcpClient(t, ['--url', url, '--key', key, '--allow-writes'])
  const { tools } = (await mcpClient.request('tools/list')).result
  const hintsOf = (name: string) => {
    const { title, ...hints } = tools.find((tool: Message) => tool.name === name).annotations
    return hints
  }
  const write = { readOnlyHint: false }
  assert.deepEqual(hintsOf('createTransaction'), {
    ...write,
    destructiveHint: false,
    idempotentHint: false,
  })
  assert.deepEqual(hintsOf('cancelTransaction'), {
    ...write,
    destructiveHint: true,
    idempotentHint: true,
  })
  assert.equal(hintsOf('advanceClock').destructiveHint, true)

  const args = { account_id: owner.account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const made = await mcpClient.call('createTransaction', { ...args, metadata: { order: [1] } })
  assert.equal(made.isError, undefined)
  const { id } = made.structuredContent
  const again = await mcpClient.call('createTransaction', args)
  assert.notEqual(again.structuredContent.id, id, 'two calls are two changes')
  const { rows } = await florin.db.pool.query('select count(*)::int as n from idempotency_keys')
  assert.ok(rows[0].n >= 2, 'each had a key')
  const one = await mcpClient.call('getTransaction', { transaction_id: id })
  assert.deepEqual(one.structuredContent.metadata, { order: [1] })
  const page = await mcpClient.call('listTransactions', { limit: 1, status: 'pending' })
  assert.deepEqual([page.structuredContent.data.length, page.structuredContent.has_more], [1, true])
  const changed = await mcpClient.call('updateTransaction', {
    transaction_id: id,
    reference: 'mine',
  })
  assert.equal(changed.structuredContent.reference, 'mine')
  const canceled = await mcpClient.call('cancelTransaction', { transaction_id: id })
  assert.equal(canceled.structuredContent.status, 'canceled')
})

test('returns the error message of the API', async (t) => {
  const { owner, key } = await keyFor(['transactions:write'])
  const mcpClient = await startMcpClient(t, ['--url', url, '--key', key, '--allow-writes'])
  const args = { account_id: owner.account_id, amount: 100, currency: 'USD', type: 'refund' }
  const cases: [string, object, RegExp][] = [
    ['createTransaction', args, /^402 insufficient_funds: .+ \(req_\w+\)$/],
    ['createTransaction', { ...args, amount: -1 }, /^400 invalid_request: .*amount/],
    ['createTransaction', { ...args, metadata: { n: 2 ** 64 } }, /^400 .*metadata.*"n".* string/],
    ['getBalance', {}, /^401 unauthorized: .*balance:read/],
    ['cancelTransaction', { transaction_id: 'txn_x' }, /^404 not_found: /],
    [
      'createTransaction',
      { ...args, amount: undefined },
      /^"amount" is required by createTransaction\.$/,
    ],
    ['createTransaction', { ...args, amout: 1 }, /^"amout" is not an argument of cr/],
    [
      'cancelTransaction',
      { transaction_id: '..' },
      /^"transaction_id" must be an id; got "\.\."\.$/,
    ],
    ['cancelTransaction', { transaction_id: 'a/../../payments' }, /must be an id/],
    ['cancelTransaction', { transaction_id: '%2e%2e' }, /must be an id/],
    ['cancelTransaction', { transaction_id: { a: 1 } }, /must be a string, a number or a boolean/],
    ['cancelTransaction', { transaction_id: 'x', florin_account: 'a\r\nb: c' }, /must be an id/],
  ]
  for (const [name, input, message] of cases) {
    const result = await mcpClient.call(name, input)
    assert.equal(result.isError, true, name)
    assert.match(result.content[0].text, message)
    assert.ok(!JSON.stringify(result).includes(key))
  }
})

test('no tool takes or returns a secret', async (t) => {
  const owner = await florin.people.owner()
  const mcpClient = await startMcpClient(t, [
    '--url',
    url,
    '--token',
    owner.token,
    '--allow-writes',
  ])
  const { tools } = (await mcpClient.request('tools/list')).result
  const names = tools.map(({ name }: Message) => name)
  for (const name of [
    'logIn',
    'refresh',
    'createApiKey',
    'createWebhookEndpoint',
    'rotateWebhookSecret',
    'createUser',
    'getEmail',
    'streamEvents',
    'getMetrics',
  ]) {
    assert.ok(!names.includes(name), name)
    const fault = await mcpClient.request('tools/call', { name, arguments: {} })
    assert.equal(fault.error.code, -32_602)
  }
  for (const { inputSchema, name } of tools) {
    const fields = Object.keys(inputSchema.properties).join(' ')
    assert.doesNotMatch(fields, /password|secret|refresh_token/, name)
  }
  const account = await mcpClient.call('getAccount')
  assert.equal(account.structuredContent.id, owner.account_id)
})

test('payouts, transfers, documents and files', async (t) => {
  const owner = await florin.people.owner()
  const args = ['--url', url, '--token', owner.token]
  const [reader, writer] = await Promise.all([
    startMcpClient(t, args),
    startMcpClient(t, [...args, '--allow-writes']),
  ])
  const list = async (client: typeof reader): Promise<Map<string, Message>> => {
    const { tools } = (await client.request('tools/list')).result
    return new Map(tools.map((tool: Message) => [tool.name, tool]))
  }
  const [reads, all] = [await list(reader), await list(writer)]
  // A file cannot be an argument or a result.
  for (const name of ['importBankStatement', 'getPayoutExportFile', 'getJournal']) {
    assert.equal(all.get(name), undefined, name)
  }
  const destructive = { readOnlyHint: false, destructiveHint: true }
  for (const name of [
    'createPayout',
    'approvePayout',
    'cancelPayout',
    'createPayoutExport',
    'changePayoutDestination',
    'createTransfer',
    'matchBankEntry',
  ]) {
    const { readOnlyHint, destructiveHint } = all.get(name).annotations
    assert.deepEqual({ readOnlyHint, destructiveHint }, destructive, name)
    assert.equal(reads.get(name), undefined, name)
  }
  // The first request issues the document.
  for (const name of ['getReceipt', 'getCreditNote']) {
    const { readOnlyHint, destructiveHint } = all.get(name).annotations
    assert.deepEqual([readOnlyHint, destructiveHint], [false, false], name)
    assert.equal((await reader.call(name)).isError, true)
  }
  for (const name of ['listPayouts', 'getTransfer', 'listBankEntries', 'getDocument']) {
    assert.equal(reads.get(name).annotations.readOnlyHint, true, name)
  }
  const { properties } = reads.get('getDocument').inputSchema
  assert.deepEqual(Object.keys(properties).sort(), ['document_id', 'florin_account', 'lang'])
  // The permissions of the API apply.
  const refused = await writer.call('listBankEntries')
  assert.match(refused.content[0].text, /^401 unauthorized: /)
})

test('--account sets the account for an admin, and a call can override it', async (t) => {
  const [admin, one, other] = [
    await florin.people.admin(),
    await florin.people.owner(),
    await florin.people.owner(),
  ]
  const args = ['--url', url, '--token', admin.token, '--account', one.account_id]
  const mcpClient = await startMcpClient(t, args)
  assert.equal((await mcpClient.call('getAccount')).structuredContent.id, one.account_id)
  const second = await mcpClient.call('getAccount', { florin_account: other.account_id })
  assert.equal(second.structuredContent.id, other.account_id)
})

test('reports an unreachable server with the next step', async (t) => {
  const port = await findFreePort()
  const mcpClient = await startMcpClient(t, ['--url', `http://127.0.0.1:${port}`])
  const unreachable = /^Cannot reach Florin at .* \(ECONNREFUSED\)\. Start it, or set --url\.$/
  const result = await mcpClient.call('isAlive')
  assert.equal(result.isError, true)
  assert.match(result.content[0].text, unreachable)
  const { error } = await mcpClient.request('tools/list')
  assert.match(error.message, unreachable)
})

test('never sends the key to another server', async (t) => {
  const credentials_seen: string[] = []
  const thief = createServer((request, response) => {
    credentials_seen.push(String(request.headers.authorization))
    response.end('{}')
  })
  const redirector = createServer((_, response) => {
    const { port } = thief.address() as AddressInfo
    response.writeHead(307, { location: `http://localhost:${port}/` }).end()
  })
  for (const server of [thief, redirector]) {
    server.listen({ host: '127.0.0.1', port: 0 })
    await once(server, 'listening')
    t.after(() => void server.close())
  }
  const { port } = redirector.address() as AddressInfo
  const args = ['--url', `http://127.0.0.1:${port}`, '--key', 'sk_sandbox_of_this_test_alone']
  const mcpClient = await startMcpClient(t, args)
  const result = await mcpClient.call('getBalance')
  assert.equal(result.isError, true)
  assert.deepEqual(credentials_seen, [])
  assert.doesNotMatch(JSON.stringify(mcpClient.received), /sk_sandbox_of_this_test_alone/)
})
