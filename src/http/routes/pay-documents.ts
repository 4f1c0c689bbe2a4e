// The documents of a payment, for the payer: the link of the payment page is the credential.

import { Type } from 'typebox'
import { issueCreditNote, issueReceipt } from '../../documents/issue-documents.ts'
import type { PaymentRow } from '../../payments/payment.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { findTransactions, readTransactionId } from '../../transactions/find-transaction.ts'
import { languageFromQuery } from '../../translations/localization.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPdf } from './documents.ts'

export const payReceiptRoute = page({
  method: 'GET',
  url: '/pay/:token/receipt',
  access: { token: 'never' },
  schema: { params: Type.Object({ token: Type.String() }) },
  handler: async (request, context, reply) => {
    const payment = await getPaid(context, request.params.token)
    const row = await issueReceipt(context, payment)
    return sendPdf(request, reply, row, languageFromQuery(request.query))
  },
})

export const payCreditNoteRoute = page({
  method: 'GET',
  url: '/pay/:token/credit-note/:transaction_id',
  access: { token: 'never' },
  schema: { params: Type.Object({ token: Type.String(), transaction_id: Type.String() }) },
  handler: async (request, context, reply) => {
    const { token, transaction_id } = request.params
    const { account_id, transaction_id: paid_by } = await getPaid(context, token)
    const key = { account_id, id: readTransactionId(transaction_id) }
    const [refund] = await findTransactions(context.db, [key])
    if (refund?.refund_of !== paid_by || refund?.status !== 'succeeded') throw unknown()
    const row = await issueCreditNote(context, refund)
    return sendPdf(request, reply, row, languageFromQuery(request.query))
  },
})

export const payDocumentRoutes = [payReceiptRoute, payCreditNoteRoute]

async function getPaid({ findPaymentByToken }: RouteContext, token: string): Promise<PaymentRow> {
  const row = await findPaymentByToken(token)
  if (row?.status !== 'succeeded') throw unknown()
  return row
}

function unknown(): Refusal {
  return new Refusal('not_found', 'There is no document at this address.')
}
