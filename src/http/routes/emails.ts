import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DraftOptions } from '../../email/draft-email.ts'
import { getEmail } from '../../email/list-emails.ts'
import { listPaymentEmails } from '../../payments/list-emails.ts'
import type { Db } from '../../postgres/database.ts'
import { findListedAccount } from '../../sessions/acting-account.ts'
import { callerOf } from '../admission.ts'
import { responseSchemas } from '../response-schemas.ts'
import { cursorList, cursorQuery, fields, idOf, oneOf } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Emails']
const noRight = ['unauthorized', "The token is missing, not valid, or not an admin's."] as const

/** Emails hold payment links and links that confirm an email: for admins alone. */
export function emailRoutes(db: Db, options: DraftOptions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/emails',
      config: { access: { token: 'required', operation: 'read_emails' } },
      schema: {
        tags,
        operationId: 'listEmails',
        summary: 'List emails',
        description:
          'For admins. Every email of the last 90 days, newest first, of all accounts or of the ' +
          'one that Florin-Account names, sent or not.',
        querystring: Type.Object({
          ...cursorQuery,
          state: Type.Optional(
            oneOf(['queued', 'sent', 'failed', 'suppressed', 'stored'], {
              description: 'Only emails in this state.',
            }),
          ),
          to: Type.Optional({ ...fields.email, description: 'Only emails to this address.' }),
          payment: Type.Optional(
            idOf('pay', 'Only emails about the payment request with this id.'),
          ),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of emails, without their text.',
            schema: cursorList('ListedEmail'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            noRight,
            ['not_found', 'No account has the id in Florin-Account.'],
          ],
        }),
      },
      handler: async (request) => {
        const account_id = await findListedAccount(db, callerOf(request))
        return listPaymentEmails(db, account_id, request.query, options)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/emails/:email_id',
      config: { access: { token: 'required', operation: 'read_emails' } },
      schema: {
        tags,
        operationId: 'getEmail',
        summary: 'Retrieve an email',
        description:
          'For admins. The email as its recipient sees it, in text and HTML; with ' +
          'Florin-Account only if it is of that account.',
        params: Type.Object({ email_id: idOf('eml', 'The id of the email.') }),
        response: responseSchemas({
          success: { status: 200, description: 'The email.', schema: Type.Ref('Email') },
          refusals: [noRight, ['not_found', 'No email has this id.']],
        }),
      },
      handler: async (request) => {
        const account_id = await findListedAccount(db, callerOf(request))
        return getEmail(db, account_id, request.params.email_id, options)
      },
    })
  }
}
