// The page behind the link that verifies the email of a new user. Opening it changes nothing,
// because mail scanners open links. Submitting it activates the user and logs in.

import { Type } from 'typebox'
import { findPendingVerification, verifyEmail } from '../../identity/one-time-links/verify-email.ts'
import { invalidVerificationPage, verifyEmailPage } from '../../pages/link-pages.ts'
import { readText } from '../../pages/read-setup-form.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { rateLimitAddress } from '../client-address.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { enterDashboard } from '../enter-dashboard.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import { sendPage } from '../send-page.ts'

const link = {
  url: '/verify/:token',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params: Type.Object({ token: Type.String() }) },
} as const

export const verifyEmailPageRoute = page({
  ...link,
  method: 'GET',
  handler: async ({ params }, { db, sandbox }, reply) => {
    const pending = await findPendingVerification(db, params.token)
    if (pending === undefined) return sendPage(reply, 404, invalidVerificationPage({ sandbox }))
    return sendPage(reply, 200, verifyEmailPage({ sandbox, ...pending }))
  },
})

export const verifyEmailRoute = page({
  ...link,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, context, reply) => {
    const { db, sandbox } = context
    const { token } = request.params
    const pending = await findPendingVerification(db, token)
    if (pending === undefined) return sendPage(reply, 404, invalidVerificationPage({ sandbox }))
    const showAgain = (status: number, fault: string) =>
      sendPage(reply, status, verifyEmailPage({ sandbox, ...pending, fault }))
    const password = readText(request.body, 'password')
    if (password === '') return showAgain(400, 'Enter your password.')
    const address = rateLimitAddress(request.ip)
    try {
      const client = hashingClientOf(request, reply)
      const verification = { request_id: request.id, token, password, address, client }
      const user = await verifyEmail(db, verification)
      if (user === undefined) return showAgain(400, 'The password is incorrect.')
      return enterDashboard(context, request, reply, { email: user.email, password })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'rate_limited') return showAgain(429, error.message)
      if (error.code !== 'not_found') throw error
      return sendPage(reply, 404, invalidVerificationPage({ sandbox }))
    }
  },
})

export const verifyEmailRoutes = [verifyEmailPageRoute, verifyEmailRoute]
