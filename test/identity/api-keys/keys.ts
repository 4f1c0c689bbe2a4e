// Creates API keys for tests through the API.

import assert from 'node:assert/strict'
import type { ApiKey } from '../../../src/identity/api-keys/api-key.ts'
import type { Florin } from '../../support/florin.ts'

interface MadeKey extends ApiKey {
  key: string
}

export async function makeKey(
  florin: Florin,
  who: { token: string },
  scopes: string[],
  options: { headers?: Record<string, string>; role?: 'platform' } = {},
): Promise<MadeKey> {
  const { headers = {}, role } = options
  const body = { name: 'A key', scopes, ...(role && { role }) }
  const response = await florin.call('POST', '/v1/api_keys', { token: who.token, headers, body })
  assert.equal(response.status, 201, response.text)
  return response.body
}

export async function status(florin: Florin, token: string, method: string, path: string) {
  return (await florin.call(method, path, { token })).status
}
