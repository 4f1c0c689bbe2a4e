// A model of Florin's ledger: a list of transactions, and sums over it. It stores no totals, so it
// shares no design with the code it checks.

export interface ModelTransaction {
  /** The id that the server assigned. */
  id: string
  account: number
  type: 'payment' | 'credit' | 'refund'
  amount: number
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  reference: string | null
  metadata: Record<string, unknown>
  /** The payment that a linked refund refunds. */
  link: ModelTransaction | undefined
}

export interface World {
  account_ids: string[]
  statuses: ('active' | 'suspended')[]
  /** Oldest first. */
  transactions: ModelTransaction[]
  /** Every successful request with an Idempotency-Key, and its response. */
  stored: { key: string; request: Request; text: string }[]
}

export interface Request {
  method: string
  path: string
  body?: unknown
}

/** A status and, for an error, its code. */
export type ExpectedResult = string

export interface CreateInput {
  account: number
  type: ModelTransaction['type']
  amount: number
  currency: string
  reference: string | null
  metadata: Record<string, unknown>
}

export function expectedCreateResult(world: World, input: CreateInput): ExpectedResult {
  if (world.statuses[input.account] !== 'active') return '400 invalid_request'
  if (input.currency !== 'USD') return '400 currency_mismatch'
  const linked = linkOf(world, input)
  if (linked !== undefined) {
    if (linked.type !== 'payment' || linked.status !== 'succeeded') return '400 invalid_request'
    if (refundedOf(world, linked) + input.amount > linked.amount) return '400 invalid_request'
  }
  const { available } = bucketsOf(world, input.account)
  if (input.type === 'refund' && input.amount > available) return '402 insufficient_funds'
  return '201'
}

export function linkOf(world: World, input: CreateInput): ModelTransaction | undefined {
  if (input.type !== 'refund') return undefined
  return world.transactions.find(
    (one) => one.account === input.account && one.id === input.reference,
  )
}

function refundedOf(world: World, payment: ModelTransaction): number {
  return sum(
    world.transactions.filter(
      ({ link, status }) => link === payment && (status === 'pending' || status === 'succeeded'),
    ),
  )
}

export function bucketsOf(world: World, account: number) {
  const some = (types: string[], statuses: string[]) =>
    sum(
      world.transactions.filter(
        (one) =>
          one.account === account && types.includes(one.type) && statuses.includes(one.status),
      ),
    )
  const into = ['payment', 'credit']
  return {
    available: some(into, ['succeeded']) - some(['refund'], ['pending', 'succeeded']),
    incoming: some(into, ['pending']),
    held: some(['refund'], ['pending']),
  }
}

function sum(transactions: ModelTransaction[]): number {
  return transactions.reduce((total, { amount }) => total + amount, 0)
}

export function merge(
  stored: Record<string, unknown>,
  changes: Record<string, unknown> | null,
): Record<string, unknown> {
  const all = changes === null ? [] : Object.entries({ ...stored, ...changes })
  const removed = Object.entries(changes ?? {}).filter(([, value]) => value === null)
  return Object.fromEntries(all.filter(([name]) => !removed.some(([gone]) => gone === name)))
}

/** Newest first, as in a list. */
export function listOf(
  world: World,
  account: number,
  filter: { status?: string | undefined; type?: string | undefined },
): ModelTransaction[] {
  return world.transactions
    .filter(
      (one) =>
        one.account === account &&
        one.status === (filter.status ?? one.status) &&
        one.type === (filter.type ?? one.type),
    )
    .toReversed()
}
