// Where the browser downloads PDF files: it sends the cookie itself.

import { api_base_path } from './request.ts'

export function receiptPath(payment_id: string): string {
  return `${api_base_path}/v1/payments/${payment_id}/receipt?format=pdf`
}

export function creditNotePath(transaction_id: string): string {
  return `${api_base_path}/v1/transactions/${transaction_id}/credit_note?format=pdf`
}
