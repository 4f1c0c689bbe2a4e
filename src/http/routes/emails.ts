import { Type } from 'typebox'
import { emailBrandFinder } from '../../accounts/branding/email-brand.ts'
import { getEmail } from '../../email/list-emails.ts'
import { findListedAccount } from '../../identity/acting-account.ts'
import { listPaymentEmails } from '../../payments/list-emails.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, fields, idOf, oneOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

// Emails contain payment links and confirmation links, so only admins may read them.
const access = { token: 'required', operation: 'read_emails' } as const
const tags = ['Emails']

export const listEmailsRoute = route({
  method: 'GET',
  url: '/v1/emails',
  access,
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
  },
  success: [200, 'A page of emails, without their content.', cursorList('ListedEmail')],
  refusals: [refused.badCursor, refused.notAdmin, refused.unknownAccount],
  handler: async ({ caller, query }, context) => {
    const account_id = await findListedAccount(context.db, caller)
    return listPaymentEmails(context.db, account_id, query, context)
  },
})

export const getEmailRoute = route({
  method: 'GET',
  url: '/v1/emails/:email_id',
  access,
  schema: {
    tags,
    operationId: 'getEmail',
    summary: 'Retrieve an email',
    description:
      'For admins. Returns the email as its recipient sees it, as text and HTML. With ' +
      'Florin-Account, only an email of that account.',
    params: Type.Object({ email_id: idOf('eml', 'The id of the email.') }),
  },
  success: [200, 'The email.', Type.Ref('Email')],
  refusals: [refused.notAdmin, ['not_found', 'No email with this id exists.']],
  handler: async ({ caller, params }, context) => {
    const account_id = await findListedAccount(context.db, caller)
    const { db, public_url } = context
    return getEmail(db, account_id, params.email_id, context, emailBrandFinder(db, public_url))
  },
})

export const emailRoutes = [listEmailsRoute, getEmailRoute]
