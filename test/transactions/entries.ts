// Lane entries without HTTP, so that a test controls the order of arrival.

import { sha256 } from '../../src/primitives/secrets.ts'
import type { Command, CreateCommand } from '../../src/transactions/decide.ts'
import type { TransactionEntry } from '../../src/transactions/lanes.ts'
import { listedJson } from '../../src/transactions/transaction.ts'
import type { Shop } from './transaction-fixtures.ts'

/** A payment of 100 by default. */
export function createOf(shop: Shop, more: Partial<CreateCommand> = {}): CreateCommand {
  return {
    kind: 'create',
    account_id: shop.uuid,
    amount: 100,
    currency: 'USD',
    type: 'payment',
    reference: null,
    metadata: null,
    linked_id: undefined,
    settle_after_ms: undefined,
    ...more,
  }
}

export function entryOf(
  shop: Shop,
  command: Command,
  more: Partial<TransactionEntry> = {},
): TransactionEntry {
  return {
    command,
    account_id: shop.uuid,
    token: { kind: 'session', token_hash: sha256(shop.token), account_id: shop.uuid },
    background: false,
    isWanted: () => true,
    key: undefined,
    status: 201,
    render: listedJson,
    ...more,
  }
}

/** `ok`, the code of the error, or its SQLSTATE. */
export async function outcomeCode(sent: Promise<unknown>): Promise<string> {
  try {
    await sent
    return 'ok'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}
