// Refunds of payments that arrived by bank transfer. A payment file sends them back to the payer,
// and a bank statement shows what became of them.

import { backgroundEntry } from '../lanes/lane-entry.ts'
import { toTypeId } from '../primitives/ids.ts'
import type { TransferRefund } from './charge-queries.ts'
import type { TransactionLanes } from './lanes.ts'

export {
  selectRefundsToTransfer as listRefundsToTransfer,
  selectUnsentRefunds as findUnsentRefunds,
  submitRefunds,
  type TransferRefund,
} from './charge-queries.ts'

/** For reconciliation. */
export { selectTransferResults as listTransferResults } from './movement-queries.ts'

/**
 * What the bank did with a refund. Repeating it changes nothing. A refund that comes back after it
 * had succeeded is credited.
 */
export async function recordTransferResult(
  lanes: TransactionLanes,
  { account_id, id, amount, charge_id }: Omit<TransferRefund, 'currency'>,
  state: 'succeeded' | 'failed',
): Promise<void> {
  const transaction_id = toTypeId('transaction', id)
  const refund = { id: transaction_id, transaction_id, amount, state }
  await lanes.submit({
    command: { kind: 'result', account_id, id, provider: 'bank_transfer', charge_id, refund },
    ...backgroundEntry(account_id, undefined),
    must_run: true,
  })
}
