// Signs a user in whom a form just created, so that they do not type their password twice.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { openCookieSession } from '../dashboard/cookie-session.ts'
import { Refusal } from '../primitives/refusal.ts'
import { preferredLanguage } from '../translations/localization.ts'
import { rateLimitAddress } from './client-address.ts'
import { setCookie } from './dashboard-edge.ts'
import { isWanted } from './hashing-client.ts'
import type { RouteContext } from './route-context.ts'

/** Redirects to the dashboard, which shows its login page if the login was refused. */
export async function enterDashboard(
  { db, secret_keys, public_url, base_path }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { email: string; password: string },
): Promise<FastifyReply> {
  const origin = {
    address: rateLimitAddress(request.ip),
    user_agent: request.headers['user-agent'],
    language: preferredLanguage(request.headers['accept-language']),
    isWanted: () => isWanted(request, reply),
  }
  try {
    const cookie = await openCookieSession(db, secret_keys, { email, password }, origin)
    setCookie(reply, cookie, public_url)
  } catch (error) {
    // The user exists by now. An error page would suggest that the form failed.
    if (!(error instanceof Refusal)) throw error
  }
  return reply.redirect(`${base_path}/dashboard`, 303)
}
