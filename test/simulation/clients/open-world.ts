// The accounts of a run, opened over the API before the first fault: an admin, a few shops that all
// clients share, and webhooks of some of them.

import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from '../servers/fleet.ts'
import type { Request, Sender } from './send.ts'
import { type Shop, World } from './world.ts'

// Few, so that clients meet at the same rows.
const shops_count = 6
// Every event of these is posted to the run; of all of them it would take the cores from the rest.
const shops_with_webhooks = 2

export async function openWorld(sender: Sender, webhook_url: string): Promise<World> {
  const admin_token = await logIn(sender, admin)
  const shops: Shop[] = []
  for (let number = 0; number < shops_count; number++) {
    shops.push(await openShop(sender, admin_token, number))
  }
  for (const shop of shops.slice(0, shops_with_webhooks)) {
    const body = { url: webhook_url, events: ['transaction.*', 'payment.*'] }
    await demand(sender, { method: 'POST', path: '/v1/webhook_endpoints', token: shop.token, body })
  }
  return new World(shops, admin_token)
}

async function openShop(sender: Sender, token: string, number: number): Promise<Shop> {
  const who = { email: `shop-${number}@example.com`, password: `a password for shop ${number}` }
  const body = { ...who, name: `Shop ${number}`, type: 'business', settings: { currency: 'USD' } }
  const { id } = await demand(sender, { method: 'POST', path: '/v1/accounts', token, body })
  return { ...who, account: id!, token: await logIn(sender, who) }
}

async function logIn(sender: Sender, body: { email: string; password: string }): Promise<string> {
  const request = { method: 'POST', path: '/v1/auth/login', token: undefined, body } as const
  return (await demand(sender, request)).access_token!
}

// More than once, because a planted bug may already show here, and is to be caught by a check.
async function demand(sender: Sender, request: Request): Promise<Record<string, string>> {
  for (let attempts_left = 3; ; attempts_left--) {
    const response = await sender.send(0, request)
    if (response.result === 'ok') return JSON.parse(response.text)
    if (attempts_left === 0) {
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.error}`)
    }
    await sleep(300)
  }
}
