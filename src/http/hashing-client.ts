// Which client a password hash is charged to, and how many sign-ups one address may make.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HashingClient } from '../identity/users/password.ts'
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

// An office or test suite behind one address may sign up many users at once; after that, one per
// second.
const sign_ups = { burst: 300, refill_ms: 1_000 }

type CountRequest = (request: FastifyRequest) => void

/** Limits sign-ups per address. */
export function signUpLimit(is_on: boolean): CountRequest {
  return addressLimit(is_on, sign_ups)
}

/** Limits requests per address: a burst, then one per interval. Counted in this process. */
export function addressLimit(
  is_on: boolean,
  { burst, refill_ms }: { burst: number; refill_ms: number },
): CountRequest {
  // The time up to which each address's allowance is used. Past entries are irrelevant, so two
  // generations bound memory without a timer.
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
    // Floating-point rounding: now + n - now may exceed n slightly.
    if (over_ms > 0.001) throw tooMany(over_ms)
    young.set(key, used_up_to)
  }
}
