// Opens the accounts of a run over the API before the first fault: an admin, a few shops that all
// clients share, and webhook endpoints for some of them.

import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../servers/fleet.ts'
import type { Request, Sender } from './send.ts'
import { type Shop, World } from './world.ts'

// Few, so clients compete for the same rows.
const shops_count = 6
// Each event of these shops is delivered to the runner. Doing this for all would use too much CPU.
const shops_with_webhooks = 2

export async function openWorld(
  sender: Sender,
  webhook_url: string,
  options: { has_provider?: boolean; has_transfers?: boolean } = {},
): Promise<World> {
  const admin_token = await logIn(sender, admin)
  const shops: Shop[] = []
  for (let number = 0; number < shops_count; number++) {
    shops.push(await openShop(sender, admin_token, number))
  }
  for (const shop of shops.slice(0, shops_with_webhooks)) {
    const body = { url: webhook_url, events: ['transaction.*', 'payment.*'] }
    await expectOk(sender, {
      method: 'POST',
      path: '/v1/webhook_endpoints',
      token: shop.token,
      body,
    })
  }
  return new World(shops, admin_token, options)
}

async function openShop(sender: Sender, token: string, number: number): Promise<Shop> {
  const who = { email: `shop-${number}@example.com`, password: `a password for shop ${number}` }
  const body = { ...who, name: `Shop ${number}`, type: 'business', settings: { currency: 'USD' } }
  const { id } = await expectOk(sender, { method: 'POST', path: '/v1/accounts', token, body })
  return { ...who, account: id!, token: await logIn(sender, who) }
}

async function logIn(sender: Sender, body: { email: string; password: string }): Promise<string> {
  const request = { method: 'POST', path: '/v1/auth/login', token: undefined, body } as const
  return (await expectOk(sender, request)).access_token!
}

// Retries, because a planted bug may already cause failures here, but a check must catch it.
async function expectOk(sender: Sender, request: Request): Promise<Record<string, string>> {
  for (let attempts_left = 3; ; attempts_left--) {
    const response = await sender.send(0, request)
    if (response.result === 'ok') return JSON.parse(response.text)
    if (attempts_left === 0) {
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.error}`)
    }
    await sleep(300)
  }
}
