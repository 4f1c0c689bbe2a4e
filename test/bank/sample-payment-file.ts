// A payment file with everything that a bank may reject: accents, signs, with and without BIC.

import { creditorReference } from '../../src/bank/creditor-reference.ts'
import type { PaymentFile } from '../../src/bank/payment-file.ts'

export const paymentFile: PaymentFile = {
  version: '09',
  id: 'pf_01jd0000000000000000000009',
  created_at: new Date('2026-11-18T07:00:00.123Z'),
  execute_on: '2026-11-19',
  currency: 'EUR',
  debtor: { name: 'Acme GmbH', iban: 'DE89370400440532013000', bic: null },
  transfers: [
    {
      id: 'po_01jd0000000000000000000001',
      amount: 4_200,
      creditor: {
        name: "Jürgen's Café & Söhne",
        iban: 'NL91 ABNA 0417 1643 00',
        bic: 'ABNANL2A',
      },
      remittance: 'Payout <7> “November”, 50 % – thank you!',
    },
    {
      id: 'po_01jd0000000000000000000002',
      amount: 5,
      creditor: { name: 'Ελένη Παπαδοπούλου', iban: 'GB82WEST12345698765432', bic: null },
      remittance: creditorReference('K3M9TXPQ'),
    },
  ],
}
