// Files in requests and responses: bank statements and PDF documents.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { type FileContent, Florin, FlorinError } from '../../client/src/florin.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { startFaultProxy } from './fault-proxy.ts'

const fixtures = await BankFixtures.open()
const proxy = await startFaultProxy(fixtures.florin.url)
const base_url = proxy.url
const operator = new Florin({ base_url, tokens: { access_token: fixtures.admin.token } })

const encode = (text: string) => new TextEncoder().encode(text)
const statement = (text: string) => fileOf([{ signed: 100, text }])

async function* inParts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = encode(text)
  for (let at = 0; at < bytes.length; at += 300) yield bytes.slice(at, at + 300)
}

test('sends a bank statement as text, bytes, a Blob or a stream', async () => {
  const kinds: [string, (text: string) => FileContent][] = [
    ['text', (text) => text],
    ['bytes', (text) => Buffer.from(text)],
    ['a buffer', (text) => encode(text).buffer],
    ['a Blob', (text) => new Blob([text], { type: 'text/xml' })],
    ['a web stream', (text) => new Blob([text]).stream()],
    ['a stream of Node.js', (text) => Readable.from(inParts(text))],
    ['a stream of text', (text) => Readable.from([text.slice(0, 500), text.slice(500)])],
  ]
  for (const [name, toContent] of kinds) {
    const { object, data } = await operator.bankStatements.import(
      toContent(statement(`Grüße, ${name}`)),
    )
    assert.equal(object, 'list')
    assert.deepEqual([data.length, data[0]!.format, data[0]!.new_count], [1, 'camt.053', 1], name)
    const [entry] = (await operator.bankEntries.list({ statement_id: data[0]!.id })).data
    assert.equal(entry!.remittance, `Grüße, ${name}`)
  }
  for (const request of proxy.requests.filter((text) => text.startsWith('POST'))) {
    assert.match(request, /^content-type: application\/octet-stream\r$/im)
    assert.match(request, /^content-length: \d+\r$/im)
  }
})

test('a retry sends the same bytes with the same key, also of a stream', async () => {
  proxy.lose = 2
  const text = statement('lost twice')
  const { data } = await operator.bankStatements.import(Readable.from(inParts(text)))
  // Other bytes with the same key would be a conflict.
  assert.deepEqual([data[0]!.entry_count, data[0]!.new_count], [1, 1])
  assert.equal(proxy.keysSeen().length, 3)
  assert.equal(new Set(proxy.keysSeen()).size, 1)
})

test('the key belongs to the bytes', async () => {
  const options = { idempotency_key: `statement ${Date.now()}` }
  const text = statement('with a key')
  const first = await operator.bankStatements.import(text, {}, options)
  assert.deepEqual(await operator.bankStatements.import(encode(text), {}, options), first)
  const other = operator.bankStatements.import(statement('another file'), {}, options)
  await assert.rejects(other, { code: 'idempotency_conflict', status: 422 })
})

test('a buffer that changes between two attempts does not change the request', async () => {
  const bytes = encode(statement('kept'))
  proxy.refuse = 1
  const { data } = await operator.bankStatements.import(bytes, {}, { onRetry: () => bytes.fill(0) })
  assert.equal(data[0]!.new_count, 1)
})

test('rejects what is not a file, and a stream that fails, before anything is sent', async () => {
  for (const wrong of [undefined, null, 5, {}] as unknown as FileContent[]) {
    await assert.rejects(operator.bankStatements.import(wrong), {
      name: 'TypeError',
      message: /^"file" must be a string, bytes, a Blob or a stream; got .*Nothing was sent\.$/,
    })
  }
  const broken = async function* () {
    yield encode('<Document>')
    throw new Error('The disk is gone.')
  }
  await assert.rejects(operator.bankStatements.import(broken()), /^Error: The disk is gone\.$/)
  const signal = AbortSignal.timeout(20)
  const endless = new ReadableStream<Uint8Array>()
  const waiting = operator.bankStatements.import(endless, {}, { signal })
  await assert.rejects(waiting, { name: 'TimeoutError' })
  assert.deepEqual(proxy.requests, [])
})

test('reports a rejected file with the reason of the server', async () => {
  const malformed = await operator.bankStatements.import('nothing').catch((error) => error)
  assert.ok(malformed instanceof FlorinError)
  assert.deepEqual([malformed.code, malformed.outcome_unknown], ['invalid_request', false])
  const owner = await fixtures.florin.people.owner()
  const outsider = new Florin({ base_url, tokens: { access_token: owner.token } })
  await assert.rejects(outsider.bankStatements.import(statement('mine')), { status: 401 })
  const large = new Uint8Array(10 * 2 ** 20 + 1)
  // The proxy would cut the connection while it still forwards the file.
  const tokens = { access_token: fixtures.admin.token }
  const direct = new Florin({ base_url: fixtures.florin.url, tokens })
  await assert.rejects(direct.bankStatements.import(large), { status: 413 })
})

test('returns receipts, credit notes and documents as PDF', async () => {
  const shop = await fixtures.shop(500)
  const id = await fixtures.request(shop, { amount: 500, reference: 'Invoice 7' })
  assert.equal((await fixtures.settlePayment(id)).status, 200)
  const { transaction_id } = (await fixtures.getPayment(shop, id)).body
  const refund = await fixtures.refund(shop, 200, transaction_id)
  assert.equal(refund.status, 201, refund.text)
  const settled = await fixtures.settle(refund.body.id)
  assert.ok([200, 409].includes(settled.status), settled.text)
  const florin = new Florin({ base_url, tokens: { access_token: shop.token } })
  const receipt = await florin.payments.getReceipt(id)
  const note = await florin.transactions.getCreditNote(refund.body.id, { lang: 'de' })
  assert.deepEqual([receipt.type, note.type], ['receipt', 'credit_note'])
  const direct = `${fixtures.florin.url}/v1/documents/${receipt.id}?format=pdf&lang=de`
  const headers = { authorization: `Bearer ${shop.token}` }
  const expected = new Uint8Array(await (await fetch(direct, { headers })).arrayBuffer())
  assert.deepEqual(await florin.documents.getPdf(receipt.id, { lang: 'de' }), expected)
  assert.deepEqual(await florin.payments.getReceiptPdf(id, { lang: 'de' }), expected)
  const pdf = await florin.transactions.getCreditNotePdf(refund.body.id)
  assert.equal(new TextDecoder('latin1').decode(pdf.slice(0, 5)), '%PDF-')
  const raw = await florin.request('GET', `/v1/documents/${receipt.id}`, {
    query: { format: 'pdf', lang: 'de' },
  })
  assert.deepEqual(raw.bytes, expected)
  await assert.rejects(florin.documents.getPdf('doc_none'), { code: 'not_found', status: 404 })
})

test('a page of a proxy is not a PDF', async () => {
  const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Log in</p>' }
  proxy.canned.push(html)
  const florin = new Florin({ base_url, tokens: { access_token: 'fat_a' }, retries_max: 0 })
  await assert.rejects(florin.documents.getPdf('doc_a'), { code: 'unexpected_response' })
})
