// Checks the developer pages, full and empty, and their dialogs with axe in both themes, and for
// horizontal scrolling at 360 px.

import { test } from 'node:test'
import { no_browser, openPage } from '../support/browser.ts'
import {
  assertAccessible,
  checkPages,
  logInToDashboard,
  openWithoutLoad,
  page_variants,
} from '../support/dashboard.ts'
import { startFlorin } from '../support/florin.ts'
import {
  makeEndpoint,
  makeTransaction,
  startDispatcher,
  waitFor,
} from '../webhooks/run-dispatcher.ts'
import { startSink } from '../webhooks/sink.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const { call, people, url } = florin
const options = { skip: no_browser }

const owner = await people.owner()
const bare = await people.owner()
const sink = await startSink()
sink.respond = (_, response) => response.writeHead(500).end(`<h1>${'broken'.repeat(60)}</h1>`)
const endpoint = await makeEndpoint(florin, owner, `${sink.url}/${'a-long-path'.repeat(12)}`, [
  'transaction.created',
  'transaction.updated',
  'subscription.canceled',
  'payment.*',
])
const dispatcher = startDispatcher({ after: () => {} }, florin)
await call('POST', '/v1/api_keys', {
  token: owner.token,
  body: { name: `Shop ${'x'.repeat(80)}`, scopes: ['transactions:read', 'transactions:write'] },
})
await makeTransaction(florin, owner)
await call('POST', '/v1/transactions', {
  token: owner.token,
  body: {
    account_id: owner.account_id,
    amount: -1,
    note: 'y'.repeat(300),
    password: 'secret word',
  },
})
await sink.until(1)

const { token } = owner
const first = async (path: string) => (await call('GET', path, { token })).body.data[0]
const loggedError = () => first('/v1/request_logs?status=4xx')
await waitFor('the rejected request is logged', async () => (await loggedError()) !== undefined)
const isAttempted = async () => (await first('/v1/webhook_deliveries'))?.attempts > 0
await waitFor('the attempt is recorded', isAttempted)
await dispatcher.stop()
await sink.stop()
const event = await first('/v1/events?type=transaction.created')
const delivery = await first('/v1/webhook_deliveries')
const rejected = await loggedError()

const lists = ['/events', '/webhooks', '/api-keys', '/requests']
const paths = [
  ...lists,
  `/events/${event.id}`,
  `/webhooks/${endpoint.id}`,
  `/webhooks/deliveries/${delivery.id}`,
  `/requests/${rejected.id}`,
]

for (const { colorScheme, width, share } of page_variants) {
  test(
    `developer pages have no axe violations in ${colorScheme} at ${width} px`,
    options,
    async () => {
      const page = await openPage({ colorScheme, viewport: { width, height: 800 } })
      await logInToDashboard(page, url, owner)
      await checkPages(page, url, share(paths))
      await page.context().close()
    },
  )
}

test('empty lists and unknown ids have no axe violations', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, bare)
  await checkPages(page, url, [
    '/webhooks',
    '/api-keys',
    '/requests',
    '/events?type=payment.failed',
  ])
  for (const path of paths.slice(lists.length)) {
    await openWithoutLoad(page, path)
    await page.getByText('Could not load this data').waitFor()
    await page.waitForURL(`${url}/dashboard${path}`)
    await assertAccessible(page, `${path} of another account`)
    await openWithoutLoad(page, '/api-keys')
    await page.getByText('No API keys yet').waitFor()
  }
  await page.context().close()
})

const dialogs = [
  ['/webhooks', ['Add endpoint']],
  [`/webhooks/${endpoint.id}`, ['Edit', 'Rotate', 'Replay', 'Delete']],
  ['/api-keys', ['Create key']],
] as const

test('dialogs of developer pages have no axe violations', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 640 } })
  await logInToDashboard(page, url, owner)
  for (const [path, buttons] of dialogs) {
    await page.goto(`${url}/dashboard${path}`)
    for (const button of buttons) {
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole(button === 'Delete' ? 'alertdialog' : 'dialog')
      await dialog.waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await assertAccessible(page, `${button}, ${colorScheme}`)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  }
  await page.context().close()
})

test('creates a key by keyboard only', options, async () => {
  const page = await openPage()
  await logInToDashboard(page, url, bare)
  await page.goto(`${url}/dashboard/api-keys`)
  await page.getByRole('button', { name: 'Create key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.getByLabel('Name').focus()
  await page.keyboard.type('By hand')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Copy it now.').waitFor()
  await page.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'API keys' }).getByTitle('*').waitFor()
  await page.context().close()
})
