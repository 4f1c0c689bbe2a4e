import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DraftOptions } from '../../mail/draft-letter.ts'
import { getLetter } from '../../mail/list-letters.ts'
import { listLettersAbout } from '../../payments/list-letters.ts'
import type { Db } from '../../postgres/database.ts'
import { findListedAccount } from '../../sessions/acting-account.ts'
import { callerOf } from '../admission.ts'
import { answers } from '../answers.ts'
import { cursorList, cursorQuery, fields, idOf, oneOf } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Mail']
const noRight = ['unauthorized', "The token is missing, not valid, or not an admin's."] as const

/** Letters hold payment links and links that confirm an email: for admins alone. */
export function mailRoutes(db: Db, options: DraftOptions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/mail',
      config: { access: { token: 'required', operation: 'read_mail' } },
      schema: {
        tags,
        operationId: 'listMail',
        summary: 'List letters',
        description:
          'For admins. Every letter of the last 90 days, newest first, of all accounts or of the ' +
          'one that Florin-Account names, sent or not.',
        querystring: Type.Object({
          ...cursorQuery,
          state: Type.Optional(
            oneOf(['queued', 'sent', 'failed', 'withheld', 'kept'], {
              description: 'Only letters in this state.',
            }),
          ),
          to: Type.Optional({ ...fields.email, description: 'Only letters to this address.' }),
          payment: Type.Optional(
            idOf('pay', 'Only letters about the payment request with this id.'),
          ),
        }),
        response: answers({
          success: {
            status: 200,
            description: 'A page of letters, without their text.',
            schema: cursorList('ListedLetter'),
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
        return listLettersAbout(db, account_id, request.query, options)
      },
    })

    app.route({
      method: 'GET',
      url: '/v1/mail/:letter_id',
      config: { access: { token: 'required', operation: 'read_mail' } },
      schema: {
        tags,
        operationId: 'getLetter',
        summary: 'Retrieve a letter',
        description:
          'For admins. The letter as its recipient sees it, in text and HTML; with ' +
          'Florin-Account only if it is of that account.',
        params: Type.Object({ letter_id: idOf('ltr', 'The id of the letter.') }),
        response: answers({
          success: { status: 200, description: 'The letter.', schema: Type.Ref('Letter') },
          refusals: [noRight, ['not_found', 'No letter has this id.']],
        }),
      },
      handler: async (request) => {
        const account_id = await findListedAccount(db, callerOf(request))
        return getLetter(db, account_id, request.params.letter_id, options)
      },
    })
  }
}
