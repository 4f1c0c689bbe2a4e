// The page behind the link that confirms an account's new email. Opening it changes nothing,
// because mail scanners open links; only its button does.

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { confirmEmail, findPendingEmailChange } from '../../accounts/confirm-email.ts'
import {
  confirmEmailPage,
  confirmedEmailPage,
  invalidEmailLinkPage,
  takenEmailPage,
} from '../../pages/confirm-email-page.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { preferredLanguage } from '../../translations/localization.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import { sendPage } from '../send-page.ts'

const link = {
  url: '/confirm-email/:token',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params: Type.Object({ token: Type.String() }) },
} as const

export const confirmEmailPageRoute = page({
  ...link,
  method: 'GET',
  handler: async (request, { db, sandbox }, reply) => {
    const pending = await findPendingEmailChange(db, request.params.token)
    if (pending === undefined)
      return sendPage(reply, 404, invalidEmailLinkPage(readerOf(request, sandbox)))
    return sendPage(reply, 200, confirmEmailPage({ sandbox, ...pending }))
  },
})

export const confirmEmailRoute = page({
  ...link,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, { db, sandbox }, reply) => {
    const { token } = request.params
    try {
      const confirmed = await confirmEmail(db, request.id, token)
      return sendPage(reply, 200, confirmedEmailPage({ sandbox, ...confirmed }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const reader = readerOf(request, sandbox)
      if (error.code === 'not_found') return sendPage(reply, 404, invalidEmailLinkPage(reader))
      if (error.code !== 'email_exists') throw error
      const pending = await findPendingEmailChange(db, token)
      return sendPage(reply, 409, takenEmailPage({ ...reader, ...pending }))
    }
  },
})

export const confirmEmailRoutes = [confirmEmailPageRoute, confirmEmailRoute]

/** For a link that no longer belongs to an account, so the browser's language is used. */
function readerOf({ headers }: FastifyRequest, sandbox: boolean) {
  return { sandbox, language: preferredLanguage(headers['accept-language']) }
}
