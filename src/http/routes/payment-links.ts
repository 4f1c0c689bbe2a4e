import { Type } from 'typebox'
import {
  createLink,
  getLink,
  listLinks,
  readLinkId,
  updatePaymentLink,
} from '../../payment-links/manage-links.ts'
import { amount_max } from '../../primitives/money.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import {
  cursorList,
  cursorQuery,
  fields,
  idOf,
  nullable,
  strictObject,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Payment links']
const params = Type.Object({ payment_link_id: idOf('lnk', 'The id of the payment link.') })
const unknown = ['not_found', 'The account has no payment link with this id.'] as const
const manage = { token: 'required', operation: 'manage_payment_links' } as const
const read = { token: 'required', operation: 'list_payment_links' } as const

const amountOf = (description: string, example: number | null) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: amount_max,
      description,
      examples: [example],
    }),
  )

const title = Type.String({
  format: 'name',
  minLength: 1,
  maxLength: 200,
  description: 'What the payer pays for. The reference of each payment request.',
  examples: ['Pottery class'],
})

const settings = {
  max_uses: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 1_000_000,
      description: 'How many payments the link accepts. null: any number.',
      examples: [20],
    }),
  ),
  expires_at: Type.Optional(
    nullable({
      format: 'timestamp',
      description:
        'When the link stops accepting payments, in the future. A date means the end of that day ' +
        "in the account's time zone. null: never.",
      examples: [null],
    }),
  ),
  active: Type.Optional(
    Type.Boolean({ description: 'Whether the link accepts payments.', examples: [true] }),
  ),
  metadata: Type.Optional(fields.metadata),
}

export const createPaymentLinkRoute = route({
  method: 'POST',
  url: '/v1/payment_links',
  bodyLimit: body_max_bytes.metadata,
  access: manage,
  schema: {
    tags,
    operationId: 'createPaymentLink',
    summary: 'Create a payment link',
    description:
      'A link that many payers can use. Each payer enters an email address, and an amount if it ' +
      'is open, and gets a payment request that expires after an hour (seven days if payers can ' +
      'transfer the money). The request has the link in its metadata. A use is reserved while a ' +
      'request is pending, and returned if it ends unpaid.',
    body: strictObject({
      title,
      amount: amountOf('The amount in minor units. Omit it to let the payer choose.', 7_500),
      amount_min: amountOf('The smallest amount that a payer can choose.', null),
      amount_max: amountOf('The largest amount that a payer can choose.', null),
      amount_suggested: amountOf('The amount that the form starts with.', null),
      ...settings,
    }),
  },
  success: [201, 'The payment link.', Type.Ref('PaymentLink')],
  refusals: [refused.badFields, refused.noToken, refused.noAccount, refused.closedAccount],
  handler: ({ caller, body }, context) => createLink(context, caller, body),
})

export const listPaymentLinksRoute = route({
  method: 'GET',
  url: '/v1/payment_links',
  access: read,
  schema: {
    tags,
    operationId: 'listPaymentLinks',
    summary: 'List payment links',
    description: 'Returns the payment links of the account, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of payment links.', cursorList('PaymentLink')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.unknownAccount],
  handler: ({ caller, query }, context) => listLinks(context, caller, query),
})

export const getPaymentLinkRoute = route({
  method: 'GET',
  url: '/v1/payment_links/:payment_link_id',
  access: read,
  schema: {
    tags,
    operationId: 'getPaymentLink',
    summary: 'Retrieve a payment link',
    description: 'GET /v1/payments?payment_link={payment_link_id} lists its payment requests.',
    params,
  },
  success: [200, 'The payment link.', Type.Ref('PaymentLink')],
  refusals: [refused.noToken, refused.noAccount, unknown],
  handler: ({ caller, params }, context) => getLink(context, caller, params.payment_link_id),
})

export const updatePaymentLinkRoute = route({
  method: 'PATCH',
  url: '/v1/payment_links/:payment_link_id',
  bodyLimit: body_max_bytes.metadata,
  access: manage,
  schema: {
    tags,
    operationId: 'updatePaymentLink',
    summary: 'Update a payment link',
    description:
      'Changes the fields sent. The amount cannot change: create another link. Payment requests ' +
      'that payers have started can still be paid, also if the link is no longer active.',
    params,
    body: strictObject({ title: Type.Optional(title), ...settings }),
  },
  success: [200, 'The payment link.', Type.Ref('PaymentLink')],
  refusals: [refused.badFields, refused.noToken, refused.noAccount, unknown],
  beforeBody: ({ params }) => readLinkId(params.payment_link_id),
  handler: ({ caller, params, body }, context) =>
    updatePaymentLink(context, caller, params.payment_link_id, body),
})

export const paymentLinkRoutes = [
  createPaymentLinkRoute,
  listPaymentLinksRoute,
  getPaymentLinkRoute,
  updatePaymentLinkRoute,
]
