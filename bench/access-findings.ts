// Findings about access: what a caller reads or changes that it should not reach.

import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestSecret } from '../src/identity/users/password.ts'
import { findUuid } from '../src/primitives/ids.ts'
import { sha256 } from '../src/primitives/secrets.ts'
import { type ApiResponse, call } from '../test/support/call.ts'
import { credentials, type Owner } from '../test/support/people.ts'
import { callOk, createKey, createTransaction, isServed, type Scene } from './scene.ts'

const internal = 'internal-only'

/** A stranger points webhooks at a service of this machine and reads its response. */
export async function readLocalServices(scene: Scene): Promise<number> {
  const service = createServer((_, response) => response.end(internal))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const owner = await scene.people.owner()
  const hosts = ['127.0.0.1', 'localhost', '127.1', '0x7f.1', '2130706433']
  const read = await Promise.all(
    hosts.map((host) => readThroughWebhook(scene, owner, `http://${host}:${port}/`)),
  )
  service.close()
  return read.filter(Boolean).length
}

async function readThroughWebhook({ url }: Scene, owner: Owner, target: string): Promise<boolean> {
  const { token } = owner
  const body = { url: target, events: ['*'] }
  const endpoint = await call(url, 'POST', '/v1/webhook_endpoints', { token, body })
  if (!isServed(endpoint, 400)) return false
  const test = await call(url, 'POST', `/v1/webhook_endpoints/${endpoint.body.id}/test`, { token })
  const path = `/v1/webhook_deliveries/${test.body.id}`
  for (let attempt = 0; attempt < 50; attempt++) {
    const { text } = await call(url, 'GET', path, { token })
    if (text.includes(internal)) return true
    await sleep(100)
  }
  return false
}

/** A platform key that may only create users makes itself a member of an account. */
export async function createMember(scene: Scene): Promise<number> {
  const { victim, login } = await memberOf(scene, ['users:write'])
  return login === undefined ? 0 : countServed(await useAccount(scene, victim, login), 401)
}

export async function useMemberOfRevokedKey(scene: Scene): Promise<number> {
  const { victim, login, revoke } = await memberOf(scene, ['users:write', 'members:write'])
  if (login === undefined) throw new Error('the key created no member')
  const before = countServed(await useAccount(scene, victim, login), 401)
  if (before !== 2) throw new Error(`the member could send ${before} of 2 requests`)
  await revoke()
  return countServed(await useAccount(scene, victim, login), 401)
}

async function memberOf(scene: Scene, scopes: string[]) {
  const admin = await scene.people.admin()
  const victim = await scene.people.owner()
  const { id, key } = await createKey(scene, admin.token, scopes, { role: 'platform' })
  const headers = { 'florin-account': victim.account_id }
  const body = credentials('made')
  const made = await call(scene.url, 'POST', '/v1/users', { token: key, headers, body })
  const login = isServed(made, 401)
    ? await callOk(scene, 'POST', '/v1/auth/login', { body })
    : undefined
  const revoke = () => callOk(scene, 'DELETE', `/v1/api_keys/${id}`, { token: admin.token })
  return { victim, login: login?.body.access_token as string | undefined, revoke }
}

async function useAccount(scene: Scene, victim: Owner, token: string): Promise<ApiResponse[]> {
  return [
    await call(scene.url, 'GET', '/v1/account/balance', { token }),
    await createTransaction(scene, { ...victim, token }),
  ]
}

function countServed(responses: ApiResponse[], rejection: number): number {
  return responses.filter((response) => isServed(response, rejection)).length
}

/** What a website can send to a local server by DNS rebinding. */
export async function foreignHosts(scene: Scene): Promise<number> {
  const host = 'attacker.example:4530'
  const headers = { host, origin: `http://${host}`, 'florin-dashboard': '1' }
  const { email, password, token } = await scene.people.owner()
  const account = { ...credentials('website'), name: 'Website', type: 'business' }
  const endpoint = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const responses = [
    await call(scene.url, 'GET', '/metrics', { headers }),
    await call(scene.url, 'POST', '/v1/accounts', { headers, body: account }),
    await call(scene.url, 'POST', '/dashboard/api/session', { headers, body: { email, password } }),
    await call(scene.url, 'POST', '/v1/webhook_endpoints', { headers, token, body: endpoint }),
  ]
  return countServed(responses, 421)
}

export async function cookiesWithoutSecure(scene: Scene): Promise<number> {
  const { email, password } = await scene.people.owner()
  const body = { email, password }
  const sent = { 'florin-dashboard': '1' }
  const { headers } = await callOk(scene, 'POST', '/dashboard/api/session', { headers: sent, body })
  const cookies = headers.getSetCookie()
  if (cookies.length === 0) throw new Error('the login set no cookie')
  return cookies.filter((cookie) => !/;\s*secure/i.test(cookie)).length
}

/**
 * Someone requests password resets and guesses by the time of the response which emails exist: of
 * two requests, the slower one. Returns how far the share of right guesses is from one half. With
 * 400 pairs, chance alone gives less than 0.08 in 999 of 1,000 runs.
 */
export async function guessEmailsByTime(scene: Scene): Promise<number> {
  const pairs: { known: string; unknown: string }[] = []
  for (let at = 0; at < 50; at++) {
    const { email: known } = await scene.people.owner()
    pairs.push({ known, unknown: credentials('unknown').email })
  }
  const measure = async (email: string): Promise<number> => {
    const start = performance.now()
    const sent = await call(scene.url, 'POST', '/v1/auth/password_reset', { body: { email } })
    const elapsed_ms = performance.now() - start
    if (sent.status === 202) return elapsed_ms
    if (sent.status !== 429) throw new Error(`${sent.status}: ${sent.text}`)
    // The rate limit of the address. It depends on the number of requests only.
    await sleep(Number(sent.headers.get('retry-after')) * 1_000)
    return measure(email)
  }
  for (const { known, unknown } of pairs) await Promise.all([known, unknown].map(measure))
  let right = 0
  const rounds = 8
  for (let round = 0; round < rounds; round++) {
    for (const [at, { known, unknown }] of pairs.entries()) {
      // Below the limit of an address, over which requests are ignored.
      if (at % 25 === 0) await scene.db.pool.query('delete from inbox_counts')
      const known_first = (at + round) % 2 === 0
      const first = await measure(known_first ? known : unknown)
      const second = await measure(known_first ? unknown : known)
      if (known_first === first > second) right += 1
    }
  }
  return Math.abs(right / (rounds * pairs.length) - 0.5)
}

/** Events about API keys for a member, and about payments and users for a key without scopes. */
export async function hiddenEvents(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const member = await scene.people.member(owner)
  const { key } = await createKey(scene, owner.token, ['events:read'])
  const customer_email = 'private@example.com'
  const body = { account_id: owner.account_id, amount: 100, currency: 'USD', customer_email }
  await callOk(scene, 'POST', '/v1/payments', { token: owner.token, body })
  const all = await eventTypes(scene, owner.token)
  const hidden = ['api_key.created', 'payment.created', 'user.created']
  if (!hidden.every((type) => all.includes(type))) throw new Error(`events are missing: ${all}`)
  const for_member = await eventTypes(scene, member.token)
  const for_key = await eventTypes(scene, key)
  return [
    ...for_member.filter((type) => type.startsWith('api_key.')),
    ...for_key.filter((type) => /^(payment|user)\./.test(type)),
  ].length
}

async function eventTypes(scene: Scene, token: string): Promise<string[]> {
  const { body } = await callOk(scene, 'GET', '/v1/events?limit=100', { token })
  return body.data.map(({ type }: { type: string }) => type)
}

/**
 * Someone with a copy of the database guesses an Idempotency-Key, which the hash of the key
 * confirms, and then the password in the body, which the fingerprint confirms.
 */
export async function guessesPerSecond(scene: Scene): Promise<number> {
  const owner = await scene.people.owner()
  const key = 'new-user-17'
  const body = { email: 'ann@example.com', password: 'winter4817' }
  const headers = { 'idempotency-key': key }
  await callOk(scene, 'POST', '/v1/users', { token: owner.token, headers, body })
  const key_hash = sha256(`${findUuid('user', owner.id)}\n${key}`)
  const { rows } = await scene.db.pool.query<{ fingerprint: Buffer }>(
    'select fingerprint from idempotency_keys where key_hash = $1',
    [key_hash],
  )
  const fingerprintOf = (text: string) =>
    createHmac('sha256', key).update('POST\n/v1/users\n').update(text).digest()
  const guesses = [
    async (password: string) => fingerprintOf(JSON.stringify({ ...body, password })),
    async (password: string) => {
      const secrets = JSON.stringify([['password', password]])
      const digest = await digestSecret(secrets, key_hash, { key: 'bench' })
      const open = [['email', body.email]]
      return fingerprintOf(JSON.stringify([open, digest.toString('hex')]))
    },
  ]
  for (const guess of guesses) {
    if (rows[0]?.fingerprint.equals(await guess(body.password))) return measureRate(guess)
  }
  throw new Error('unknown fingerprint: teach this attack how it is computed')
}

async function measureRate(guess: (password: string) => Promise<Buffer>): Promise<number> {
  const started = performance.now()
  let count = 0
  while (performance.now() < started + 500) await guess(`winter${count++}`)
  return Math.round((count / (performance.now() - started)) * 1_000)
}
