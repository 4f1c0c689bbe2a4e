import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { DraftOptions } from '../../email/draft-email.ts'
import { getEmail } from '../../email/list-emails.ts'
import { findListedAccount } from '../../identity/acting-account.ts'
import { listPaymentEmails } from '../../payments/list-emails.ts'
import type { Db } from '../../postgres/database.ts'
import { callerOf } from '../admission.ts'
import { cursorList, cursorQuery, fields, idOf, oneOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Emails']
const notAdmin = ['unauthorized', 'The token is missing, invalid or not an admin token.'] as const

/** Emails contain payment links and confirmation links, so only admins may read them. */
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
          'For admins. Returns all emails of the last 90 days, sent or not, newest first. ' +
          'Florin-Account limits the list to one account.',
        querystring: Type.Object({
          ...cursorQuery,
          state: Type.Optional(
            oneOf(['queued', 'sent', 'failed', 'suppressed', 'stored'], {
              description: 'Only emails in this state.',
            }),
          ),
          to: Type.Optional({ ...fields.email, description: 'Only emails to this address.' }),
          payment: Type.Optional(idOf('pay', 'Only emails about this payment request.')),
        }),
        response: responseSchemas({
          success: {
            status: 200,
            description: 'A page of emails, without their content.',
            schema: cursorList('ListedEmail'),
          },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or the cursor is unknown.'],
            notAdmin,
            ['not_found', 'The account in Florin-Account does not exist.'],
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
          'For admins. Returns the email as its recipient sees it, as text and HTML. With ' +
          'Florin-Account, only an email of that account.',
        params: Type.Object({ email_id: idOf('eml', 'The id of the email.') }),
        response: responseSchemas({
          success: { status: 200, description: 'The email.', schema: Type.Ref('Email') },
          refusals: [notAdmin, ['not_found', 'No email with this id exists.']],
        }),
      },
      handler: async (request) => {
        const account_id = await findListedAccount(db, callerOf(request))
        return getEmail(db, account_id, request.params.email_id, options)
      },
    })
  }
}
