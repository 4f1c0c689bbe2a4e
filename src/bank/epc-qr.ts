// The text of an EPC QR code (EPC069-12, "GiroCode"): banking apps fill in a SEPA transfer from it.
// Encode it with error correction level M; 331 bytes then fit into version 13, the largest that the
// guideline allows.

import { decimalText } from '../primitives/money.ts'
import { cutText } from '../primitives/text.ts'

interface TransferRequest {
  /** Of the account that receives the money. */
  name: string
  iban: string
  bic: string | null
  /** In cents. */
  amount: number
  currency: string
  /** In electronic form. */
  creditor_reference: string
}

// 999,999,999.99, the maximum of a SEPA transfer.
export const sepa_amount_max = 99_999_999_999

const name_length_max = 70
const bytes_max = 331

/** Undefined if a SEPA transfer cannot have this currency or amount. */
export function epcQrText(request: TransferRequest): string | undefined {
  const { amount, currency } = request
  if (currency !== 'EUR' || amount < 1 || amount > sepa_amount_max) return undefined
  // A line break would move all following fields.
  let name = cutText(request.name.replace(/\s+/g, ' ').trim(), name_length_max)
  // Seventy characters can have 210 bytes.
  while (Buffer.byteLength(linesOf(request, name)) > bytes_max)
    name = cutText(name, name.length - 1)
  return linesOf(request, name)
}

function linesOf(request: TransferRequest, name: string): string {
  const lines = [
    'BCD',
    // Version 2: the BIC is optional.
    '002',
    // UTF-8.
    '1',
    'SCT',
    request.bic ?? '',
    name,
    request.iban,
    `EUR${decimalText(request.amount, 2)}`,
    // No purpose code.
    '',
    request.creditor_reference,
  ]
  return lines.join('\n')
}
