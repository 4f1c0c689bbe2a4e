// An authenticator app for tests. It is written from RFC 6238 and shares no code with the server.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiResponse } from './call.ts'
import { recordSecret } from './secrets.ts'

/** Any key; tests that rotate keys use others. */
export const test_secret_key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

export function totpCode(secret_base32: string, at_ms = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = 0n
  for (const character of secret_base32) bits = bits * 32n + BigInt(alphabet.indexOf(character))
  const key = Buffer.from(bits.toString(16).padStart((secret_base32.length * 5) / 4, '0'), 'hex')
  const time = Math.floor(at_ms / 30_000)
  const message = Buffer.from(time.toString(16).padStart(16, '0'), 'hex')
  const digest = createHmac('sha1', key).update(message).digest('hex')
  const start = Number.parseInt(digest.at(-1)!, 16) * 2
  const number = Number.parseInt(digest.slice(start, start + 8), 16) % 0x8000_0000
  return `${number % 1_000_000}`.padStart(6, '0')
}

type Call = (
  method: string,
  path: string,
  options?: { body?: unknown; token?: string },
) => Promise<ApiResponse>

interface Enrolled {
  factor_id: string
  secret: string
  recovery_codes: string[]
  /** A code that was not used yet. Call it once: the next one would be of a step too far ahead. */
  nextCode(): string
}

/** Adds an authenticator app. Confirms with the code of the previous step, so two more are left. */
export async function enrollTotp(call: Call, { token }: { token: string }): Promise<Enrolled> {
  // At the very end of a step the previous code would be too old on arrival.
  const left_ms = 30_000 - (Date.now() % 30_000)
  if (left_ms < 300) await sleep(left_ms)
  const started = await call('POST', '/v1/user/factors/totp', { token, body: {} })
  assert.equal(started.status, 201, started.text)
  const { secret, id } = started.body
  const code = totpCode(secret, Date.now() - 30_000)
  const confirmed = await call('POST', '/v1/user/factors/totp/confirm', { token, body: { code } })
  assert.equal(confirmed.status, 200, confirmed.text)
  const { recovery_codes } = confirmed.body
  for (const recovery_code of recovery_codes) recordSecret(recovery_code)
  return { factor_id: id, secret, recovery_codes, nextCode: () => totpCode(secret) }
}
