import { type TSchema, Type } from 'typebox'
import { findPayers } from '../../bank-statements/find-statements.ts'
import {
  exportPayouts,
  getExport,
  getExportFile,
  listExports,
  readExportId,
} from '../../payouts/export-payouts.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { route } from '../route.ts'
import { bankAccountInput } from '../schemas/payout.ts'
import { cursorList, cursorQuery, idOf, oneOf, strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Payouts']
const params = Type.Object({ export_id: idOf('pex', 'The id of the export.') })
const access = { token: 'required', operation: 'export_payouts' } as const

const unknown = ['not_found', 'No payout export with this id exists.'] as const

export const createPayoutExportRoute = route({
  method: 'POST',
  url: '/v1/payout_exports',
  access: { ...access, step_up: 'always' },
  schema: {
    tags,
    operationId: 'createPayoutExport',
    summary: 'Export approved payouts for the bank',
    description:
      'Writes up to 1,000 approved payouts and refunds of bank transfers of one currency, of all ' +
      'active accounts, into a payment file (pain.001). In the same step payouts change to ' +
      'in_transit, and refunds can no longer be canceled: a second export contains none of ' +
      'them. For admins and platform users who have logged in within the last 10 minutes.',
    body: strictObject({
      currency: Type.String({
        format: 'currency',
        description: 'The currency of the payouts.',
        examples: ['EUR'],
      }),
      debtor: Type.Optional(
        strictObject(bankAccountInput, {
          description:
            'The bank account of the operator, from which the bank transfers the money. Without ' +
            'it, the bank account in the settings of the server.',
        }),
      ),
      execute_on: Type.Optional(
        Type.String({
          format: 'line',
          minLength: 10,
          maxLength: 10,
          description:
            'When the bank executes the transfers, YYYY-MM-DD, from today to a year from now. ' +
            'Today if omitted.',
          examples: ['2026-11-20'],
        }),
      ),
      version: Type.Optional(
        oneOf(['09', '03'], {
          description: 'pain.001.001.09, or .03 for older banks.',
          examples: ['09'],
        }),
      ),
    }),
  },
  success: [201, 'The export. Download its file next.', Type.Ref('PayoutExport')],
  refusals: [
    refused.badFields,
    refused.notPermitted,
    ['conflict', 'No payout in this currency is approved, and no refund waits.'],
  ],
  handler: ({ caller, body }, { db, bank_account }) => {
    const debtor = body.debtor ?? bank_account
    if (debtor === undefined) throw noDebtor()
    return exportPayouts(db, caller, { ...body, debtor }, findPayers)
  },
})

function noDebtor(): Refusal {
  return new Refusal(
    'invalid_request',
    '"debtor" is missing, and the server has no bank account. Send it, or set FLORIN_BANK_IBAN ' +
      'and FLORIN_BANK_NAME.',
  )
}

export const listPayoutExportsRoute = route({
  method: 'GET',
  url: '/v1/payout_exports',
  access,
  schema: {
    tags,
    operationId: 'listPayoutExports',
    summary: 'List payout exports',
    description: 'Returns the exports, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of exports.', cursorList('PayoutExport')],
  refusals: [refused.badCursor, refused.notPermitted],
  handler: ({ query }, { db }) => listExports(db, query),
})

export const getPayoutExportRoute = route({
  method: 'GET',
  url: '/v1/payout_exports/:export_id',
  access,
  schema: {
    tags,
    operationId: 'getPayoutExport',
    summary: 'Retrieve a payout export',
    description: 'Returns an export without its file.',
    params,
  },
  success: [200, 'The export.', Type.Ref('PayoutExport')],
  refusals: [refused.notPermitted, unknown],
  handler: ({ params }, { db }) => getExport(db, params.export_id),
})

const xml = {
  content: { 'application/xml': { schema: Type.String({ examples: ['<?xml version="1.0"?>'] }) } },
} as unknown as TSchema

export const getPayoutExportFileRoute = route({
  method: 'GET',
  url: '/v1/payout_exports/:export_id/file',
  access,
  schema: {
    tags,
    operationId: 'getPayoutExportFile',
    summary: 'Download the payment file of an export',
    description: 'Returns the pain.001 document. Upload it to the bank once.',
    params,
  },
  success: [200, 'The payment file.', xml],
  refusals: [refused.notPermitted, unknown],
  beforeBody: ({ params }) => readExportId(params.export_id),
  handler: async ({ params }, { db }, reply) => {
    const file = await getExportFile(db, params.export_id)
    reply.type('application/xml; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${params.export_id}.xml"`)
    return reply.send(file)
  },
})

export const payoutExportRoutes = [
  createPayoutExportRoute,
  listPayoutExportsRoute,
  getPayoutExportRoute,
  getPayoutExportFileRoute,
]
