// florin logs tail and florin events tail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'
import { Cli } from './cli.ts'

const florin = await startFlorin()
const { people } = florin

test('events tail prints the latest events and follows new ones', async () => {
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  const tail = cli.start(['events', 'tail', '-n', '1'])
  await tail.text(/^\d\d:\d\d:\d\d \S+\.\S+ +\w+ #\d+$/m)
  // Line terminators in JavaScript, but not in JSON or in an event stream.
  const body = { name: 'New\u2028name\u2029here' }
  await florin.call('PATCH', '/v1/account', { token: owner.token, body })
  await tail.text(new RegExp(`^.* account\\.updated +${owner.account_id} #\\d+$`, 'm'))
  const { code, stdout, stderr } = await tail.stop('SIGINT')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(stdout.trim().split('\n').length, 2)

  const args = ['events', 'tail', '--no-follow', '--json', '--type', 'account.*']
  const shown = (await cli.run(args)).stdout.trim().split('\n')
  const types = shown.map((line) => JSON.parse(line).type)
  assert.deepEqual(types, ['account.created', 'account.updated'])
  const wrong = await cli.run(['events', 'tail', '--type', 'acount.*'])
  assert.equal(wrong.code, 64)
  assert.match(wrong.stderr, /^--type must be an event type .* Did you mean "account\.\*"\?$/m)
})

test('events tail ends when the account closes, or if it is already closed', async () => {
  const [owner, admin] = [await people.owner(), await people.admin()]
  const cli = new Cli(florin.url)
  await cli.logIn(admin)
  const args = ['events', 'tail', '--account', owner.account_id]
  const tail = cli.start([...args, '-n', '1'])
  await tail.text(/#\d+$/m)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  const { code, stdout, stderr } = await tail.ended
  const reason = /^. The account is closed\. There will be no more events\.\n$/
  assert.equal(code, 0)
  assert.match(stderr, reason)
  assert.match(stdout, / account\.closed .*\n$/)
  const later = await cli.run([...args, '-n', '0'])
  assert.deepEqual([later.code, later.stdout], [0, ''])
  assert.match(later.stderr, reason)
})

test('logs tail follows requests, and --json prints the full entry', async () => {
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  const tail = cli.start(['logs', 'tail'])
  await florin.call('GET', '/v1/account/balance', { token: owner.token })
  await tail.text(/^\d\d:\d\d:\d\d GET {4}200 \/v1\/account\/balance \d+ ms req_\w+$/m)
  await florin.call('GET', '/v1/users', { token: owner.token })
  await tail.text(/^\d\d:\d\d:\d\d GET {4}403 \/v1\/users forbidden \d+ ms req_\w+$/m)
  await sleep(1_500)
  const { code, stdout, stderr } = await tail.stop('SIGINT')
  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout.trim().split('\n')
  assert.equal(new Set(lines).size, lines.length, 'no request twice')

  const args = ['logs', 'tail', '--no-follow', '--json', '--status', '4xx', '--method', 'get']
  const shown = (await cli.run(args)).stdout.trim().split('\n')
  assert.equal(shown.length, 1)
  const entry = JSON.parse(shown[0]!)
  assert.deepEqual([entry.path, entry.error], ['/v1/users', 'forbidden'])
  const none = await cli.run(['logs', 'tail', '--no-follow', '--path', '/v1/payments'])
  assert.deepEqual([none.code, none.stdout], [0, ''])
})

test('--last reads several pages and prints the oldest first', async () => {
  const owner = await people.owner()
  const cli = new Cli(florin.url)
  await cli.logIn(owner)
  const request_ids: (string | null)[] = []
  for (let number = 1; number <= 205; number += 1) {
    const body = { name: `Name ${number}` }
    const response = await florin.call('PATCH', '/v1/account', { token: owner.token, body })
    assert.equal(response.status, 200)
    request_ids.push(response.headers.get('request-id'))
  }
  const show = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.run([...args, '--no-follow', '--json'])
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const of_type = ['events', 'tail', '--type', 'account.updated', '-n']
  const names = (events: { data: { name: string } }[]) => events.map(({ data }) => data.name)
  const last = Array.from({ length: 203 }, (_, at) => `Name ${at + 3}`)
  assert.deepEqual(names(await show(...of_type, '203')), last)
  assert.equal((await show(...of_type, '500')).length, 205, 'the whole list')

  const patches = ['logs', 'tail', '--method', 'patch', '-n']
  // Requests are logged asynchronously.
  const newest = '/v1/request_logs?method=PATCH&limit=1'
  await until(async () => {
    const { body } = await florin.call('GET', newest, { token: owner.token })
    return body.data[0]?.id === request_ids.at(-1)
  })
  const ids = (entries: { id: string }[]) => entries.map(({ id }) => id)
  assert.deepEqual(ids(await show(...patches, '203')), request_ids.slice(2))
  assert.deepEqual(ids(await show(...patches, '500')), request_ids)
})

test('names the scope that a key lacks', async () => {
  const owner = await people.owner()
  const body = { name: 'Till', scopes: ['balance:read'] }
  const { key } = (await florin.call('POST', '/v1/api_keys', { token: owner.token, body })).body
  const cli = new Cli(florin.url)
  const rejected = await cli.run(['logs', 'tail'], { env: { FLORIN_API_KEY: key } })
  assert.equal(rejected.code, 1)
  assert.match(rejected.stderr, /lacks the scope "request_logs:read"/)
})
