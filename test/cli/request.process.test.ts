// florin get, post, patch and delete against a real server.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const cli = new Cli(florin.url)
const owner = await florin.people.owner()
await cli.logIn(owner)

test('post, patch, get and delete print the response', async () => {
  const fields = [`account_id=${owner.account_id}`, 'amount:=7500', 'currency=USD', 'type=payment']
  const data = [...fields, 'metadata.order=114'].flatMap((field) => ['-d', field])
  const made = await cli.run(['post', '/v1/transactions', ...data])
  assert.deepEqual([made.code, made.stderr], [0, ''])
  assert.equal(made.stdout.split('\n').length, 2, 'one line for a program')
  const { id, ...transaction } = JSON.parse(made.stdout)
  assert.deepEqual([transaction.amount, transaction.metadata], [7500, { order: '114' }])
  const path = `/v1/transactions/${id}`
  assert.equal((await cli.json('patch', path, '-d', 'reference=R1')).reference, 'R1')
  assert.equal((await cli.json('get', `${florin.url}${path}`)).reference, 'R1')
  assert.equal((await cli.json('delete', path)).status, 'canceled')
  const query = ['-d', 'status=canceled', '-d', 'limit:=1']
  assert.deepEqual(
    (await cli.json('get', '/v1/transactions', ...query)).data.map((one: { id: string }) => one.id),
    [id],
  )
})

test('a misspelled query parameter is rejected before anything is sent', async () => {
  for (const args of [['/v1/transactions?statuss=paid'], ['/v1/transactions', '-d', 'statuss=x']]) {
    const ran = await cli.run(['get', ...args])
    assert.equal(ran.code, 64)
    const message = '"statuss" is not a query parameter of /v1/transactions. Did you mean status?'
    assert.ok(ran.stderr.includes(message), ran.stderr)
  }
})

test('reads a body from an argument and from stdin', async () => {
  const stdin = '{"settings": {"language": "de"}}'
  const piped = await cli.run(['patch', '/v1/account', '-d', '@-'], { stdin })
  assert.equal(JSON.parse(piped.stdout).settings.language, 'de')
  const account = await cli.json('patch', '/v1/account', '--data', '{"name": "New name"}')
  assert.equal(account.name, 'New name')
})

test('applies a change once per --idempotency-key, and every time without one', async () => {
  const body = `{"account_id": "${owner.account_id}", "amount": 1, "currency": "USD",
    "type": "payment"}`
  const args = ['post', '/v1/transactions', '-d', body]
  const key = ['--idempotency-key', 'once-only']
  const [first, second] = [await cli.json(...args, ...key), await cli.json(...args, ...key)]
  assert.equal(first.id, second.id)
  assert.notEqual((await cli.json(...args)).id, (await cli.json(...args)).id)
})

test('prints a rejection and the next command to stderr, and exits with 1', async () => {
  const { code, stdout, stderr } = await cli.run(['post', '/v1/payments', '-d', 'amount:=1'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^"account_id" is required.*\nNext: florin open docs\n$/)
  const rejected = await cli.run(['get', '/v1/users', '--json'])
  assert.equal(rejected.code, 1)
  const { request_id, ...failure } = JSON.parse(rejected.stderr)
  assert.match(request_id, /^req_/)
  assert.deepEqual(failure, {
    error: 'forbidden',
    message: 'An account owner may not list all users.',
    next: 'florin open docs',
    status: 403,
  })
})

test('--account selects the account for an admin', async () => {
  const staff = new Cli(florin.url)
  await staff.logIn(await florin.people.admin())
  const without = await staff.run(['get', '/v1/account'])
  assert.equal(without.code, 1)
  assert.match(without.stderr, /\nNext: add --account acct_…; list accounts with florin get/)
  const account = await staff.json('get', '/v1/account', '--account', owner.account_id)
  assert.equal(account.id, owner.account_id)
  assert.equal((await staff.run(['get', '/v1/account', '--account', 'mine'])).code, 64)
})

test('rejects an invalid path or another server', async () => {
  for (const path of [
    'v1/account',
    'https://elsewhere.example/v1/account',
    '//elsewhere',
    '/a b',
  ]) {
    const { code, stderr } = await cli.run(['get', path])
    assert.equal(code, 64)
    assert.match(stderr, /^The path must be like \/v1\/payments; got /)
  }
})

test('encodes + in a query field', async () => {
  const since = ['-d', 'date_from=2020-11-16T10:00:00+01:00', '-d', 'limit=1']
  assert.equal((await cli.json('get', '/v1/transactions', ...since)).data.length, 1)
})

test('rejects a path with #, because the part after it is not sent', async () => {
  for (const path of ['/v1/transactions#x', '/v1/request_logs?path=#12', '/v1/account#']) {
    const { code, stdout, stderr } = await cli.run(['get', path, '-d', 'limit=1'])
    assert.deepEqual([code, stdout], [64, ''])
    assert.equal(
      stderr,
      `The path must not contain "#", because the part after it is not sent; got "${path}". ` +
        "Write %23 in a value, or pass the field with -d 'name=#12'.\n",
    )
  }
})

test('rejects the event stream and suggests events tail', async () => {
  const whole = `${florin.url}/v1/events/stream`
  for (const path of ['/v1/events/stream', '/v1/events/./stream?after=3', whole]) {
    const { code, stdout, stderr } = await cli.run(['get', path])
    assert.deepEqual([code, stdout], [64, ''])
    assert.match(stderr, /the event stream does not end\. Run: florin events tail --json\n$/)
  }
})

test('open prints the URL of a page', async () => {
  assert.equal((await cli.run(['open'])).stdout, `${florin.url}/docs\n`)
  assert.deepEqual(await cli.json('open', 'openapi', '--json'), {
    url: `${florin.url}/openapi.json`,
  })
})
