// The page behind the link that confirms an account's new email. Opening it changes nothing,
// because mail scanners open links; only its button does.

import formbody from '@fastify/formbody'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { confirmEmail, findPendingEmailChange } from '../../accounts/confirm-email.ts'
import {
  confirmEmailPage,
  confirmedEmailPage,
  invalidEmailLinkPage,
  takenEmailPage,
} from '../../pages/confirm-email-page.ts'
import type { Db } from '../../postgres/database.ts'
import type { Markup } from '../../primitives/markup.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { preferredLanguage } from '../../translations/localization.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { body_max_bytes } from '../json-body.ts'
import { parseForm } from '../query-string.ts'
import { sendPage } from '../send-page.ts'

interface Link {
  Params: { token: string }
}

const options = {
  bodyLimit: body_max_bytes.login,
  config: { access: { token: 'never', form: true } },
  schema: { hide: true },
} as const

export function confirmEmailRoutes({
  db,
  sandbox,
}: {
  db: Db
  sandbox: boolean
}): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', refuseCrossSite)
    await app.register(formbody, { parser: parseForm })

    app.get<Link>('/confirm-email/:token', options, async (request, reply) => {
      const pending = await findPendingEmailChange(db, request.params.token)
      if (pending === undefined)
        return sendPage(reply, 404, invalidEmailLinkPage(readerOf(request)))
      return sendPage(reply, 200, confirmEmailPage({ sandbox, ...pending }))
    })

    app.post<Link>('/confirm-email/:token', options, async (request, reply) => {
      const [status, page] = await confirm(request)
      return sendPage(reply, status, page)
    })
  }

  async function confirm(request: FastifyRequest<Link>): Promise<[number, Markup]> {
    const { token } = request.params
    try {
      const confirmed = await confirmEmail(db, request.id, token)
      return [200, confirmedEmailPage({ sandbox, ...confirmed })]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'not_found') return [404, invalidEmailLinkPage(readerOf(request))]
      if (error.code !== 'email_exists') throw error
      const pending = await findPendingEmailChange(db, token)
      return [409, takenEmailPage({ ...readerOf(request), ...pending })]
    }
  }

  /** For a link that no longer belongs to an account, so the browser's language is used. */
  function readerOf(request: FastifyRequest) {
    return { sandbox, language: preferredLanguage(request.headers['accept-language']) }
  }
}
