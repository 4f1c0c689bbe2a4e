// The SDK in a real browser, on a page of Florin's origin: its source with types removed, as a
// bundler would serve it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import type * as sdk from '../../client/src/florin.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

const server = await startFlorin()
const source = new URL('../../client/src/', import.meta.url)

test('works in a browser, from login to the event stream', {
  skip: no_browser,
}, async () => {
  const owner = await server.people.owner()
  const page = await openPage()
  await page.route(`${server.url}/sdk/**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice('/sdk/'.length)
    if (name === '') return route.fulfill({ contentType: 'text/html', body: '<title>SDK</title>' })
    const text = readFileSync(new URL(name, source), 'utf8')
    return route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(text) })
  })
  await page.goto(`${server.url}/sdk/`)
  const report = await page.evaluate(useInPage, { ...owner, origin: server.url })
  assert.deepEqual(report, {
    references: ['two', 'one'],
    followed: 'transaction.created',
    refreshed: [owner.account_id, owner.account_id],
    rejected: 'currency_mismatch',
    forged: 'webhook_verification_failed',
  })
  await page.context().close()
})

/** Runs in the page, without access to this file. */
async function useInPage(who: Owner & { origin: string }) {
  const { Florin, verifyWebhook }: typeof sdk = await import(`${who.origin}/sdk/florin.ts`)
  const florin = new Florin({ base_url: who.origin })
  await florin.sessions.logIn({ email: who.email, password: who.password })
  const money = { account_id: who.account_id, amount: 5, currency: 'USD', type: 'payment' } as const
  for (const reference of ['one', 'two']) await florin.transactions.create({ ...money, reference })
  const references: (string | null)[] = []
  for await (const one of florin.transactions.list({ limit: 1 })) references.push(one.reference)
  let followed = ''
  for await (const event of florin.events.stream({ after: 0, type: 'transaction.*' })) {
    followed = event.type
    break
  }
  await florin.useTokens({ ...florin.tokens!, access_token: 'fat_ended' })
  const accounts = await Promise.all([florin.account.get(), florin.account.get()])
  const codeOf = ({ code }: { code: string }) => code
  const now = String(Math.floor(Date.now() / 1000))
  const headers = { 'webhook-id': 'e', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' }
  return {
    references,
    followed,
    refreshed: accounts.map(({ id }) => id),
    rejected: await florin.transactions.create({ ...money, currency: 'EUR' }).catch(codeOf),
    forged: await verifyWebhook('{}', headers, 'whsec_AAAA').catch(codeOf),
  }
}
