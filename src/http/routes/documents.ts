// Receipts and credit notes: as JSON, or as a PDF file.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { type DocumentRow, fileNameOf, presentDocument } from '../../documents/document.ts'
import { getDocument, listDocuments } from '../../documents/find-documents.ts'
import { issueCreditNote, issueReceipt } from '../../documents/issue-documents.ts'
import { renderDocument } from '../../documents/render-thread.ts'
import { getPayment } from '../../payments/find-payment.ts'
import { getTransaction } from '../../transactions/find-transaction.ts'
import { type Language, languages } from '../../translations/localization.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, idOf, oneOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendBytes } from '../send-document.ts'

const tags = ['Documents']

const language_names = Object.keys(languages) as Language[]

const formatQuery = Type.Object({
  format: Type.Optional(
    oneOf(['json', 'pdf'] as const, { description: 'pdf returns the document as a file.' }),
  ),
  lang: Type.Optional(
    oneOf(language_names, {
      description: 'The language of the file. Without it, the language of the account is used.',
    }),
  ),
})

interface FormatQuery {
  format?: 'json' | 'pdf'
  lang?: Language
}

const jsonOrPdf = {
  content: {
    'application/json': { schema: Type.Ref('Document') },
    'application/pdf': { schema: Type.String({ format: 'binary' }) },
  },
} as unknown as TSchema

const snapshot =
  'A document states what was true when it was issued, and does not change. Numbers have no gaps ' +
  'within an account: receipts and credit notes share one sequence.'

export const listDocumentsRoute = route({
  method: 'GET',
  url: '/v1/documents',
  access: { token: 'required', operation: 'list_documents' },
  schema: {
    tags,
    operationId: 'listDocuments',
    summary: 'List receipts and credit notes',
    description: `Returns the documents of the account, the greatest number first. ${snapshot}`,
    querystring: Type.Object({
      ...cursorQuery,
      type: Type.Optional(
        oneOf(['receipt', 'credit_note'] as const, { description: 'Only documents of this type.' }),
      ),
    }),
  },
  success: [200, 'A page of documents.', cursorList('Document')],
  refusals: [refused.badCursor, refused.noToken, refused.noAccount, refused.unknownAccount],
  handler: ({ caller, query }, { db }) => listDocuments(db, caller, query),
})

export const getDocumentRoute = route({
  method: 'GET',
  url: '/v1/documents/:document_id',
  access: { token: 'required', operation: 'list_documents' },
  schema: {
    tags,
    operationId: 'getDocument',
    summary: 'Retrieve a receipt or a credit note',
    description: snapshot,
    params: Type.Object({ document_id: idOf('doc', 'The id of the document.') }),
    querystring: formatQuery,
  },
  success: [200, 'The document, as JSON or as a PDF file.', jsonOrPdf],
  refusals: [
    refused.badParameter,
    refused.noToken,
    refused.noAccount,
    ['not_found', 'The account has no document with this id.'],
  ],
  handler: async (request, { db }, reply) => {
    const row = await getDocument(db, request.caller, request.params.document_id)
    return send(request, reply, row, request.query)
  },
})

export const getReceiptRoute = route({
  method: 'GET',
  url: '/v1/payments/:payment_id/receipt',
  access: { token: 'required', operation: 'retrieve_receipt' },
  schema: {
    tags,
    operationId: 'getReceipt',
    summary: 'Retrieve the receipt of a payment request',
    description: `The first request issues the receipt; later ones return the same. ${snapshot}`,
    params: Type.Object({ payment_id: idOf('pay', 'The id of the payment request.') }),
    querystring: formatQuery,
  },
  success: [200, 'The receipt, as JSON or as a PDF file.', jsonOrPdf],
  refusals: [
    refused.badParameter,
    refused.noToken,
    ['not_found', 'No payment request with this id exists or is visible to you.'],
    ['conflict', 'The payment request is not paid.'],
  ],
  handler: async (request, context, reply) => {
    const { caller, params, query } = request
    const payment = await getPayment(context.findPayment, caller, params.payment_id)
    return send(request, reply, await issueReceipt(context, payment, caller), query)
  },
})

export const getCreditNoteRoute = route({
  method: 'GET',
  url: '/v1/transactions/:transaction_id/credit_note',
  access: { token: 'required', operation: 'retrieve_credit_note' },
  schema: {
    tags,
    operationId: 'getCreditNote',
    summary: 'Retrieve the credit note of a refund',
    description:
      'The first request issues the credit note, after the receipt of the payment if that was ' +
      `not issued before; later ones return the same. ${snapshot}`,
    params: Type.Object({ transaction_id: idOf('txn', 'The id of the refund.') }),
    querystring: formatQuery,
  },
  success: [200, 'The credit note, as JSON or as a PDF file.', jsonOrPdf],
  refusals: [
    refused.badParameter,
    refused.noToken,
    refused.unknownTransaction,
    [
      'conflict',
      'The transaction is not a refund, has not succeeded, was returned before it had a credit ' +
        'note, or refunds a payment without a payment request.',
    ],
  ],
  handler: async (request, context, reply) => {
    const { caller, params, query } = request
    const refund = await getTransaction(context.findTransaction, caller, params.transaction_id)
    return send(request, reply, await issueCreditNote(context, refund, caller), query)
  },
})

export const documentRoutes = [
  listDocumentsRoute,
  getDocumentRoute,
  getReceiptRoute,
  getCreditNoteRoute,
]

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  row: DocumentRow,
  { format, lang }: FormatQuery,
): Promise<unknown> {
  if (format !== 'pdf') return presentDocument(row)
  return sendPdf(request, reply, row, lang)
}

/** Rendering costs CPU time, which the rate limit of the caller pays for. */
export async function sendPdf(
  request: FastifyRequest,
  reply: FastifyReply,
  row: DocumentRow,
  language: Language | undefined,
): Promise<FastifyReply> {
  request.charge(rendering_units)
  const bytes = await renderDocument(row, language)
  reply.type('application/pdf')
  reply.header('content-disposition', `attachment; filename="${fileNameOf(row)}"`)
  return sendBytes(request, reply, bytes)
}

const rendering_units = 10
