// The examples, end to end: a real server with its worker, the payment page, and webhooks.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Florin } from '../../client/src/florin.ts'
import { envOf } from '../cli/florin-process.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { Customer, cards } from '../payments/customer.ts'
import { root } from '../support/source-tree.ts'
import { until } from '../support/until.ts'
import { hiddenField, startExample, submitForm } from './run-example.ts'

const installation = await makeUsedInstallation({ after })
const { florin, url: florin_url } = await installation.start()
const is_supported = 'import sys; sys.exit(sys.version_info < (3, 11))'
const no_python =
  spawnSync('python3', ['-c', is_supported]).status === 0
    ? false
    : 'python3 3.11 or newer is not installed'

const textOf = async (url: string) => (await fetch(url)).text()

/** Returns the state of the page after the payment. */
async function pay(payment_url: string): Promise<string | undefined> {
  const customer = new Customer(florin_url, payment_url)
  await customer.pay(cards.good)
  return (await customer.open()).state
}

async function sendForgery(shop: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  }
  const data = { id: 'pay_forged', amount: 1, metadata: { subscription: 'sub_forged' } }
  const body = JSON.stringify({ type: 'payment.succeeded', data })
  return (await fetch(`${shop}/webhooks`, { method: 'POST', headers, body })).status
}

test('the donation shop counts a donation when its webhook arrives', async (t) => {
  const start = { into: installation.path, florin_url, after: t.after.bind(t) }
  const shop = await startExample({ name: 'donation-shop', ...start })
  const page = await textOf(shop)
  assert.match(page, /0 donations, \$0\.00 so far/)
  const fields = { order: hiddenField(page, 'order'), name: 'Ann <3', email: 'ann@example.com' }
  const donate = (dollars: string) => submitForm(shop, '/donations', { ...fields, dollars })

  const requested = await donate('12.34')
  assert.equal(requested.status, 303)
  const payment_url = requested.headers.get('location')!
  assert.match(payment_url, /\/pay\//)
  assert.equal((await donate('12.34')).headers.get('location'), payment_url, 'a double click')

  assert.equal(await pay(payment_url), 'paid')
  const back = await new Customer(florin_url, `${payment_url}/return`).open()
  const thanks_url = back.headers.get('location')!
  assert.ok(thanks_url.startsWith(`${shop}/thanks?payment_id=pay_`), thanks_url)
  assert.match(await textOf(thanks_url), /Thank you!/)
  await until(async () => /1 donations, \$12\.34 so far/.test(await textOf(shop)))
  assert.match(await textOf(shop), /Ann &#60;3 gave \$12\.34/)

  const other = { ...fields, order: hiddenField(await textOf(shop), 'order') }
  const rejected = await submitForm(shop, '/donations', { ...other, dollars: '-1' })
  assert.equal(rejected.status, 400)
  assert.match(await rejected.text(), /role="alert">&#34;amount&#34; must be/)
  assert.equal(await sendForgery(shop), 400)
  assert.match(await textOf(shop), /1 donations/)
})

test('the Python script requests invoices once and waits until they are paid', async (t) => {
  if (no_python) return t.skip(no_python)
  const owner = new Florin({ base_url: florin_url })
  const who = { email: 'invoices@example.com', password: crypto.randomUUID() }
  await owner.accounts.create({ ...who, name: 'Acme Ltd', type: 'business' })
  await owner.sessions.logIn(who)
  const scopes = ['payments:write', 'payments:read', 'accounts:read', 'events:read'] as const
  const { key } = await owner.apiKeys.create({ name: 'Invoices', scopes: [...scopes] })
  const folder = join(root, 'examples/python-invoices')
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  for (const scope of scopes) assert.ok(readme.includes(`\`${scope}\``), scope)
  const env = {
    ...envOf(),
    FLORIN_URL: florin_url,
    FLORIN_API_KEY: key,
    PYTHONPATH: join(root, 'client-python'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const args = ['invoices.py', 'invoices.csv', '--wait']
  const script = spawn('python3', args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(script, 'exit')
  let printed = ''
  script.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  t.after(() => script.kill())
  const linked = () => [...printed.matchAll(/^(2026-\d+) (http\S+)$/gm)]
  await until(() => linked().length === 3)
  for (const [, number, payment_url] of linked()) {
    assert.equal(await pay(payment_url!), 'paid')
    await until(() => printed.includes(`${number} is paid\n`))
  }
  assert.deepEqual(await exit, [0, null])

  const again = spawnSync('python3', args, { cwd: folder, env, encoding: 'utf8' })
  assert.deepEqual([again.status, again.stderr], [0, ''])
  const first_run = linked().map(([line]) => line)
  assert.deepEqual(again.stdout.trim().split('\n'), first_run)
  assert.equal((await owner.payments.list()).data.length, 3)
})

// Last, because it moves the clock.
test('the subscription box ships one box for each paid month', async (t) => {
  const start = { into: installation.path, florin_url, after: t.after.bind(t) }
  const shop = await startExample({ name: 'subscription-box', ...start })
  const member = hiddenField(await textOf(shop), 'member')
  const fields = { member, box: 'large', email: 'cleo@example.com' }
  const joined = await submitForm(shop, '/members', fields)
  assert.equal(joined.status, 303, await joined.text())
  await submitForm(shop, '/members', fields)
  const member_url = new URL(joined.headers.get('location')!, shop).href
  const warehouse = async () => JSON.parse(await textOf(`${shop}/warehouse`))
  const payMonth = async () => {
    const found = /href="([^"]+\/pay\/[^"]+)"/.exec(await textOf(member_url))?.[1]
    assert.equal(await pay(found!), 'paid')
  }
  await payMonth()
  await until(async () => (await warehouse()).length === 1)
  assert.match(await textOf(member_url), /You have paid \$49\.00 so far/)

  await advance('31d')
  await payMonth()
  await until(async () => (await warehouse()).length === 2)
  const shipped = await warehouse()
  assert.deepEqual(
    shipped.map(({ to, box }: Record<string, string>) => [to, box]),
    [
      ['cleo@example.com', 'Large box, 1 kg'],
      ['cleo@example.com', 'Large box, 1 kg'],
    ],
  )
  assert.notEqual(shipped[0].for, shipped[1].for)

  // The third month is requested after 31 days and expires unpaid 30 days later.
  await advance('31d')
  await advance('31d')
  await until(async () => /is <strong>paused<\/strong>/.test(await textOf(member_url)))
  assert.equal((await warehouse()).length, 2)
  const resume = await submitForm(shop, `/members/${member}/resume`, {})
  assert.equal(resume.status, 303)
  assert.match(await textOf(member_url), /is <strong>active<\/strong>/)
  await submitForm(shop, `/members/${member}/cancel`, {})
  assert.match(await textOf(member_url), /is <strong>canceled<\/strong>/)

  assert.equal((await fetch(`${shop}/members/unknown`)).status, 404)
  assert.equal((await submitForm(shop, '/members', { ...fields, email: 'no' })).status, 400)
  assert.equal(await sendForgery(shop), 400)
})

async function advance(time: string): Promise<void> {
  const env = { FLORIN_PUBLIC_URL: florin_url }
  const ended = await installation.run(['clock', 'advance', time, '--json'], { env }).ended
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
}

test('the server stops without a failure after all examples', async () => {
  assert.equal((await florin.stop()).code, 0)
})

test('examples use the versions of the repository and are listed in the README', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const readme = readFileSync(join(root, 'examples/README.md'), 'utf8')
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  assert.equal(names.length, 3)
  for (const name of names) {
    assert.ok(readme.includes(`[${name}](${name}/README.md)`), name)
    if (name.startsWith('python')) continue
    const path = join(root, 'examples', name, 'package.json')
    const { 'florin-client': sdk, ...used } = JSON.parse(readFileSync(path, 'utf8')).dependencies
    assert.equal(sdk, 'file:../../client')
    for (const [dependency, version] of Object.entries(used)) {
      assert.equal(dependencies[dependency], version, dependency)
    }
  }
})
