// Password reset: the API operation and the pages that request a link, and the page of the link.

import { Type } from 'typebox'
import { requestPasswordReset } from '../../identity/one-time-links/request-reset.ts'
import { findPendingReset, resetPassword } from '../../identity/one-time-links/reset-password.ts'
import {
  invalidResetPage,
  resetDonePage,
  resetPage,
  resetRequestedPage,
  resetRequestPage,
} from '../../pages/link-pages.ts'
import { emailFault, passwordFault, readText } from '../../pages/read-setup-form.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { rateLimitAddress } from '../client-address.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page, route } from '../route.ts'
import { fields, messageOf, strictObject } from '../schemas/resources.ts'
import { sendPage } from '../send-page.ts'

const message = 'If a user with this email exists, a link was sent to it.'

export const requestPasswordResetRoute = route({
  method: 'POST',
  url: '/v1/auth/password_reset',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never' },
  schema: {
    tags: ['Sessions'],
    operationId: 'requestPasswordReset',
    summary: 'Request a password reset',
    description:
      'Sends an email with a link that sets a new password, once, within an hour. The response ' +
      'is the same for every email, known or not. At most 5 links per hour are sent to one ' +
      'address.',
    security: [],
    body: strictObject({ email: fields.email }),
  },
  success: [
    202,
    'The request was accepted, whether or not the user exists.',
    Type.Object({ message: messageOf(message) }),
  ],
  refusals: [['invalid_request', 'The email is missing or malformed.']],
  handler: async (request, { db }) => {
    const address = rateLimitAddress(request.ip)
    await requestPasswordReset(db, { email: request.body.email, address })
    return { message }
  },
})

export const passwordResetRoutes = [requestPasswordResetRoute]

const form = { bodyLimit: body_max_bytes.login, access: { token: 'never', form: true } } as const
const request_form = { ...form, url: '/reset' } as const
const link = {
  ...form,
  url: '/reset/:token',
  schema: { params: Type.Object({ token: Type.String() }) },
} as const

export const resetRequestPageRoute = page({
  ...request_form,
  method: 'GET',
  handler: (_, { sandbox }, reply) => sendPage(reply, 200, resetRequestPage({ sandbox })),
})

export const submitResetRequestRoute = page({
  ...request_form,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, { db, sandbox, sends_email }, reply) => {
    const email = readText(request.body, 'email').trim()
    const fault = emailFault(email)
    if (fault !== undefined)
      return sendPage(reply, 400, resetRequestPage({ sandbox, email, fault }))
    await requestPasswordReset(db, { email, address: rateLimitAddress(request.ip) })
    return sendPage(reply, 202, resetRequestedPage({ sandbox, sends_email }))
  },
})

export const resetPageRoute = page({
  ...link,
  method: 'GET',
  handler: async ({ params }, { db, sandbox, passwords }, reply) => {
    const pending = await findPendingReset(db, params.token)
    if (pending === undefined) return sendPage(reply, 404, invalidResetPage({ sandbox }))
    const password_min = passwords.length_min
    return sendPage(reply, 200, resetPage({ sandbox, password_min, ...pending }))
  },
})

export const submitResetRoute = page({
  ...link,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, { db, sandbox, passwords: policy, public_url }, reply) => {
    const { token } = request.params
    const pending = await findPendingReset(db, token)
    if (pending === undefined) return sendPage(reply, 404, invalidResetPage({ sandbox }))
    const password = readText(request.body, 'password')
    const fault = passwordFault(password, policy, pending.email)
    if (fault !== undefined) {
      const shown = { sandbox, password_min: policy.length_min, ...pending, fault }
      return sendPage(reply, 400, resetPage(shown))
    }
    try {
      const client = hashingClientOf(request, reply)
      const reset = { request_id: request.id, token, password, policy, client, public_url }
      await resetPassword(db, reset)
      return sendPage(reply, 200, resetDonePage({ sandbox }))
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
      return sendPage(reply, 404, invalidResetPage({ sandbox }))
    }
  },
})

export const passwordResetPageRoutes = [
  resetRequestPageRoute,
  submitResetRequestRoute,
  resetPageRoute,
  submitResetRoute,
]
