// Creates a credential, uses it, revokes it, and immediately uses it again on every server.

import type { PlannedRequest } from './choose-operation.ts'
import type { Client } from './client.ts'
import type { Shop } from './world.ts'

interface Credential {
  name: string
  token: string
  /** The request that revokes it. */
  revoke: PlannedRequest['request']
}

export async function revokeSomething(client: Client): Promise<void> {
  const { random, world } = client.parts
  const shop = random.pick(world.shops)
  // A login costs a password hash, so most credentials are keys.
  const credential = random.chance(0.2) ? await logIn(client, shop) : await makeKey(client, shop)
  if (credential === undefined) return
  const tag = client.newTag()
  await client.read(readBalance(shop, credential))
  const revoked = await client.write(
    {
      operation: 'revoke',
      shop,
      credential: `revocation of ${credential.name}`,
      target: null,
      input: { revoked: credential.name },
      request: credential.revoke,
    },
    tag,
    credential.revoke.token !== credential.token,
  )
  if (revoked.result !== 'ok') return
  for (const server of client.parts.serversUp()) {
    await client.attempt(readBalance(shop, credential), null, false, server)
  }
  await client.attempt(createPayment(shop, credential), client.newTag(), false)
}

function readBalance(shop: Shop, { name, token }: Credential): PlannedRequest {
  const request: PlannedRequest['request'] = { method: 'GET', path: '/v1/account/balance', token }
  return { operation: 'balance', shop, credential: name, target: null, input: {}, request }
}

function createPayment(shop: Shop, { name, token }: Credential): PlannedRequest {
  const body = { account_id: shop.account, currency: 'USD', type: 'payment', amount: 1 }
  const request: PlannedRequest['request'] = {
    method: 'POST',
    path: '/v1/transactions',
    token,
    body,
  }
  const input = { type: 'payment', amount: 1 } as const
  return { operation: 'create', shop, credential: name, target: null, input, request }
}

async function makeKey(client: Client, shop: Shop): Promise<Credential | undefined> {
  const body = { name: client.newTag(), scopes: ['*'] }
  const path = '/v1/api_keys'
  const created = await unrecorded(client, { method: 'POST', path, token: shop.token, body })
  if (created?.id === undefined || created.key === undefined) return undefined
  const revoke = { method: 'DELETE', path: `${path}/${created.id}`, token: shop.token } as const
  return { name: created.id, token: created.key, revoke }
}

async function logIn(client: Client, shop: Shop): Promise<Credential | undefined> {
  const body = { email: shop.email, password: shop.password }
  const request = { method: 'POST', path: '/v1/auth/login', token: undefined, body } as const
  const token = (await unrecorded(client, request))?.access_token
  if (token === undefined) return undefined
  const revoke = { method: 'DELETE', path: '/v1/auth/session', token } as const
  return { name: `session ${client.newTag()}`, token, revoke }
}

// Responses that create a credential contain its secret, so they are not recorded.
async function unrecorded(
  client: Client,
  request: PlannedRequest['request'],
): Promise<Record<string, string> | undefined> {
  const { sender, chooseServer, random } = client.parts
  const server = chooseServer(random)
  if (server === undefined) return undefined
  const response = await sender.send(server, request)
  return response.result === 'ok' ? JSON.parse(response.text) : undefined
}
