// On whose behalf a request has a password hashed, and how many may sign up from one address.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HashingClient } from '../users/password.ts'
import { rateLimitAddress } from './client-address.ts'
import { tooMany } from './rate-limit.ts'

export function hashingClientOf(request: FastifyRequest, reply: FastifyReply): HashingClient {
  const { caller } = request
  return {
    key: caller?.account_id ?? caller?.user_id ?? rateLimitAddress(request.ip),
    isWanted: () => isWanted(request, reply),
  }
}

/** False when the client has disconnected, or got its response from the deadline. */
export function isWanted(request: FastifyRequest, reply: FastifyReply): boolean {
  return !request.raw.socket.destroyed && !reply.raw.headersSent
}

// An office or a test suite behind one address may sign up many at once; a script that goes on gets
// one a second.
const burst = 300
const refill_ms = 1_000

export type CountSignUp = (request: FastifyRequest) => void

/** Counts sign-ups by address, in the memory of this process. */
export function signUpLimit(is_on: boolean): CountSignUp {
  // When each address's allowance is used up to. Entries of the past mean nothing, so two
  // generations keep the memory bounded without a timer.
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let swapped_at = performance.now()
  return (request) => {
    if (!is_on) return
    const now = performance.now()
    if (now - swapped_at > burst * refill_ms) {
      old = young
      young = new Map()
      swapped_at = now
    }
    const key = rateLimitAddress(request.ip)
    const used_up_to = Math.max(young.get(key) ?? old.get(key) ?? 0, now) + refill_ms
    const over_ms = used_up_to - now - burst * refill_ms
    // Rounding: now + n - now may be a little more than n.
    if (over_ms > 0.001) throw tooMany(over_ms)
    young.set(key, used_up_to)
  }
}
