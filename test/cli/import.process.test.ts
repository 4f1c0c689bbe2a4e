// florin import transactions: creates every line once, also if it is run again. florin import
// statement.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileOf } from '../bank-statements/bank-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecretsIn } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const cli = new Cli(florin.url)
const owner = await florin.people.owner()
await cli.logIn(owner)

const file = join(cli.config_home, 'transactions.csv')
after(() => rmSync(file, { force: true }))

const head = 'amount,currency,type,reference,metadata.row\n'

function write(rows: string[]): void {
  writeFileSync(file, head + rows.join('\n'))
}

async function count(): Promise<number> {
  const path = '/v1/list_counts/transactions'
  return (await florin.call('GET', path, { token: owner.token })).body.count
}

test('creates the lines of a file in their order, and not again if it is run twice', async () => {
  write(Array.from({ length: 250 }, (_, at) => `${at + 1},USD,payment,"no ""${at}""",${at}`))
  const { code, stdout, stderr } = await cli.run(['import', 'transactions', file])
  assert.deepEqual([code, stdout, stderr], [0, '✓ Created 250 transactions.\n', ''])
  assert.equal(await count(), 250)
  const listed = await florin.call('GET', '/v1/transactions?limit=1', { token: owner.token })
  const { amount, reference, metadata } = listed.body.data[0]
  assert.deepEqual([amount, reference, metadata], [250, 'no "249"', { row: '249' }])
  assert.deepEqual(await cli.json('import', 'transactions', file, '--json'), {
    created: 0,
    created_before: 250,
    failed: 0,
  })
  const twice = await cli.run(['import', 'transactions', file])
  assert.match(twice.stdout, /^✓ Created 0 transactions\. 250 were created before\. To import/)
  assert.equal(await count(), 250, 'the same file has the same keys')
  const again = ['import', 'transactions', file, '--idempotency-key', 'second time', '--json']
  await cli.json(...again)
  assert.equal(await count(), 500)
})

test('reports rejected lines, creates the others and exits with 1', async () => {
  const before = await count()
  write(['100,USD,payment,,', '5,EUR,payment,,', '999,USD,refund,,', '200,USD,payment,,'])
  const { code, stdout, stderr } = await cli.run(['import', 'transactions', file])
  assert.deepEqual([code, stdout], [1, '✓ Created 2 transactions.\n'])
  assert.match(stderr, /^line 3: currency_mismatch: "currency" must be "USD"/m)
  assert.match(stderr, /^line 4: insufficient_funds: "amount" must be at most 0/m)
  assert.match(stderr, /^Rejected lines: 2 of 4\.\nNext: correct them in a new file/m)
  assert.equal(await count(), before + 2)
  const json = await cli.run(['import', 'transactions', file, '--json'])
  const lines = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ message: _, ...line }) => line),
    [
      { line: 3, error: 'currency_mismatch' },
      { line: 4, error: 'insufficient_funds' },
      { created: 0, created_before: 2, failed: 2 },
    ],
  )
})

test('an interrupted import continues where it ended', async () => {
  const rows = 250
  write(Array.from({ length: rows }, (_, at) => `${at + 1},USD,payment,interrupted,`))
  // The second request has to wait for ten seconds.
  const slow = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '10' })
  const before = await count()
  const slow_cli = new Cli(slow.url)
  await slow_cli.logIn(owner)
  const started = slow_cli.start(['import', 'transactions', file])
  await until(async () => (await count()) > before)
  started.child.kill('SIGINT')
  const { code, stdout, stderr } = await started.ended
  assert.deepEqual([code, stdout], [1, ''], stderr)
  assert.match(stderr, /^Interrupted at line 102\. Run the same command again to continue/)
  await slow.close()
  const again = await cli.run(['import', 'transactions', file])
  assert.deepEqual(
    [again.code, again.stdout],
    [0, '✓ Created 150 transactions. 100 were created before.\n'],
    again.stderr,
  )
  assert.equal(await count(), before + rows)
})

test('sends nothing if a line is invalid', async () => {
  const before = await count()
  write(['100,USD,payment,,', '1.5,USD,payment,,'])
  const invalid = await cli.run(['import', 'transactions', file])
  assert.equal(invalid.code, 64)
  assert.match(invalid.stderr, /^Line 3: "amount" must .*; got "1\.5"\. Nothing was sent\.\n$/)
  const missing = await cli.run(['import', 'transactions', join(cli.config_home, 'none.csv')])
  assert.deepEqual([missing.code, missing.stdout], [1, ''])
  assert.match(missing.stderr, /^Cannot open .*none\.csv/)
  assert.equal(await count(), before)
})

test('an API key that may only create transactions needs the account', async () => {
  const before = await count()
  const body = { name: 'import', scopes: ['transactions:write'] }
  const key = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  recordSecretsIn(key)
  const env = { FLORIN_API_KEY: key.key }
  write(['100,USD,payment,with a key,'])
  const args = ['import', 'transactions', file]
  const refused = await cli.run(args, { env })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /lacks the scope "accounts:read".*\nNext: add --account acct_…/)
  const { code, stdout } = await cli.run([...args, '--account', owner.account_id], { env })
  assert.deepEqual([code, stdout], [0, '✓ Created 1 transaction.\n'])
  assert.equal(await count(), before + 1)
})

test('names a line that only the server rejects, such as one of another version', async () => {
  let requests = 0
  const strict = createServer((request, response) => {
    request.resume()
    requests += 1
    if (requests === 1) {
      const created = Array(100).fill({ result: 'created' })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: created }))
      return
    }
    const message = '"transactions.1.reference" must have at most 9 characters; got 12.'
    response.writeHead(400, { 'content-type': 'application/json', 'florin-request-id': 'req_1' })
    response.end(JSON.stringify({ error: 'invalid_request', message }))
  })
  strict.listen(0, '127.0.0.1')
  await once(strict, 'listening')
  write([...Array(101).fill('100,USD,payment,,'), '100,USD,payment,Invoice 2026,'])
  const server = `http://127.0.0.1:${(strict.address() as AddressInfo).port}`
  const env = { FLORIN_API_KEY: 'sk_sandbox_0123456789abcdef', FLORIN_SERVER: server }
  const args = ['import', 'transactions', file, '--account', owner.account_id]
  const { code, stderr } = await cli.run(args, { env })
  strict.close()
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^Line 103 is invalid\. Lines 102 to 103 were not imported; 100 were created before\. /,
  )
  // Other keys would create the first hundred again.
  const key = createHash('sha256').update(readFileSync(file)).digest('hex')
  assert.match(stderr, new RegExp(`^Next: correct the file .* --idempotency-key ${key};`, 'm'))
})

test('a key of another file is not tried again', async () => {
  const before = await count()
  const run = () => cli.run(['import', 'transactions', file, '--idempotency-key', 'one file'])
  write(['100,USD,payment,one,'])
  assert.equal((await run()).code, 0)
  write(['100,USD,payment,other,'])
  const { code, stderr } = await run()
  assert.equal(code, 1)
  assert.match(stderr, /^Next: use another --idempotency-key, or omit it$/m)
  assert.equal(await count(), before + 1)
})

test('import statement uploads a bank statement', async () => {
  const operator = new Cli(florin.url)
  const admin = await florin.people.admin()
  await operator.logIn(admin)
  const stdin = fileOf([
    { signed: 4_200, text: 'one' },
    { signed: -100, text: 'two' },
  ])
  const imported = await operator.run(['import', 'statement', '-'], { stdin })
  assert.deepEqual([imported.code, imported.stderr], [0, ''])
  assert.match(imported.stdout, /^✓ stm_\w+ of DE89370400440532013000: 2 entries, 2 of/)
  writeFileSync(file, stdin)
  const again = await operator.json('import', 'statement', file, '--json')
  assert.deepEqual([again.data.length, again.data[0].entry_count], [1, 2])
  assert.ok(imported.stdout.includes(again.data[0].id), 'nothing was imported twice')
  writeFileSync(file, 'a;b')
  const unknown = await operator.run(['import', 'statement', file, '--column-map', 'none'])
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /column_map/)
  writeFileSync(file, '')
  const empty = await operator.run(['import', 'statement', file])
  assert.deepEqual([empty.code, empty.stderr], [64, 'The file is empty. Nothing was sent.\n'])
  const refused = await cli.run(['import', 'statement', '-'], { stdin })
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /unauthorized|permission|admin/)
})
