// Codes of authenticator apps: RFC 6238 with the parameters that all apps support (SHA-1, six
// digits, 30 seconds). Pure functions; the time is a parameter.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const step_s = 30
const digits = 6

// One step before and after the current one: clocks of phones differ by some seconds.
const tolerance_steps = 1

/** 160 bits, the length of an SHA-1 key. */
export function newTotpSecret(): Buffer {
  return randomBytes(20)
}

export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1_000 / step_s)
}

export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.at(-1)! & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

/**
 * The step that this code belongs to. A step up to `last_step` was used before and does not count.
 * Always compares all steps, so that the time does not depend on the code.
 */
export function findStep(
  secret: Buffer,
  code: string,
  at: Date,
  last_step: number | null,
): number | undefined {
  const sent = Buffer.from(code.replaceAll(' ', ''))
  let found: number | undefined
  for (let by = -tolerance_steps; by <= tolerance_steps; by++) {
    const step = stepAt(at) + by
    const expected = Buffer.from(codeOf(secret, step))
    const matches = sent.length === expected.length && timingSafeEqual(sent, expected)
    if (matches && step > (last_step ?? -1)) found ??= step
  }
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding, as authenticator apps expect secrets. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code. */
export function otpauthUri(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  const query = `secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${digits}&period=${step_s}`
}
