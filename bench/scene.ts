// What an attack of the findings bench works with.

import type { Db } from '../src/postgres/database.ts'
import { type ApiResponse, type CallOptions, call } from '../test/support/call.ts'
import type { Owner, People } from '../test/support/people.ts'
import type { ReceivedEmail } from '../test/support/smtp-server.ts'

export interface Scene {
  url: string
  /** For rows that take hours of traffic, and for what a database dump reveals. */
  db: Db
  people: People
  emails: ReceivedEmail[]
}

/** Part of the attack that must work, before and after a fix. */
export async function callOk(
  { url }: Scene,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const response = await call(url, method, path, options)
  if (response.status < 300) return response
  throw new Error(`${method} ${path} returned ${response.status}: ${response.text}`)
}

/**
 * Whether the server accepted a request. A status other than the expected rejection would make an
 * attack look harmless that was never carried out.
 */
export function isServed({ status, text }: ApiResponse, rejection: number): boolean {
  if (status < 300) return true
  if (status === rejection) return false
  throw new Error(`expected success or ${rejection}, got ${status}: ${text}`)
}

export function createTransaction(scene: Scene, owner: Owner, more: object = {}) {
  const { account_id, token } = owner
  const body = { account_id, amount: 100, currency: 'USD', type: 'payment', ...more }
  return call(scene.url, 'POST', '/v1/transactions', { token, body })
}

export async function createKey(
  scene: Scene,
  token: string,
  scopes: string[],
  more: object = {},
): Promise<{ id: string; key: string }> {
  const body = { name: 'bench', scopes, ...more }
  return (await callOk(scene, 'POST', '/v1/api_keys', { token, body })).body
}

export async function createEndpoint(scene: Scene, owner: Owner, url: string): Promise<string> {
  const body = { url, events: ['*'] }
  const path = '/v1/webhook_endpoints'
  return (await callOk(scene, 'POST', path, { token: owner.token, body })).body.id
}
