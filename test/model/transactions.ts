// Transactions: pending once, ended once, and the effect of each movement on available.

import { type ListInput, page } from './lists.ts'
import { type Actor, actingAccount, authorize } from './permissions.ts'
import { anyText, Placeholder } from './unify.ts'
import type {
  Account,
  FinalStatus,
  Metadata,
  ModelRequest,
  Outcome,
  Transaction,
  World,
} from './world.ts'
import {
  badRequest,
  conflict,
  expectEvent,
  merge,
  notCancellable,
  notFound,
  refuse,
  same,
  time,
} from './world.ts'

function showListed(one: Transaction) {
  const { id, account, amount, currency, type, status, reference, metadata, created_at } = one
  const what = { amount, currency, type, status, reference, metadata: { ...metadata } }
  return { id, account_id: account.id, ...what, created_at }
}

function showTransaction(one: Transaction) {
  return { ...showListed(one), updated_at: one.updated_at }
}

interface TransactionInput {
  account: Account | undefined
  amount: number
  currency: string
  type: Transaction['type']
  reference: string | null
  metadata: Metadata
}

/** Returns the account in the body, if the actor may use it. */
export function bodyAccount(
  request: ModelRequest,
  actor: Actor,
  named: Account | undefined,
  unknown: Outcome,
): { account: Account } | Outcome {
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  // A header and a body with different accounts are an error for every caller.
  if (request.account !== undefined && named !== acting.account) return badRequest()
  if (named === undefined) return unknown
  return actor.is_staff || named === acting.account ? { account: named } : unknown
}

export function createTransaction(
  world: World,
  request: ModelRequest,
  input: TransactionInput,
): Outcome {
  const chosen = openAccount(request, input.account)
  if ('status' in chosen) return chosen
  const decided = decideCreate(world, chosen.account, input)
  if ('status' in decided) return decided
  return {
    status: 201,
    body: showListed(addTransaction(world, chosen.account, input, decided.link)),
  }
}

interface BulkInput {
  account: Account | undefined
  items: Omit<TransactionInput, 'account'>[]
  atomic: boolean
}

export function createTransactions(
  world: World,
  request: ModelRequest,
  { account: named, items, atomic }: BulkInput,
): Outcome {
  const chosen = openAccount(request, named)
  if ('status' in chosen) return chosen
  const { account } = chosen
  const undo = savepoint(world, account)
  const data: { result: 'created' | 'failed'; transaction?: unknown; error?: unknown }[] = []
  for (const item of items) {
    const decided = decideCreate(world, account, { ...item, account })
    if (!('status' in decided)) {
      const one = addTransaction(world, account, item, decided.link)
      data.push({ result: 'created', transaction: showListed(one) })
    } else if (atomic) {
      undo()
      return decided
    } else {
      data.push({ result: 'failed', error: decided.body })
    }
  }
  const created = data.filter(({ result }) => result === 'created').length
  const counts = { created, failed: items.length - created }
  return { status: 200, body: { object: 'bulk_result', ...counts, data } }
}

function savepoint({ transactions }: World, account: Account): () => void {
  const before = { had_money: account.had_money, money_moved_at: account.money_moved_at }
  const lists = [transactions, account.postings, account.events]
  const lengths = lists.map(({ length }) => length)
  return () => {
    Object.assign(account, before)
    for (const [at, list] of lists.entries()) list.length = lengths[at]!
  }
}

function openAccount(
  request: ModelRequest,
  named: Account | undefined,
): { account: Account } | Outcome {
  const actor = authorize(request, 'write transactions')
  if ('status' in actor) return actor
  const chosen = bodyAccount(request, actor, named, notFound())
  if ('status' in chosen) return chosen
  const { status } = chosen.account
  if (status === 'closed') return notFound()
  return status === 'active' ? chosen : badRequest()
}

function decideCreate(
  world: World,
  account: Account,
  input: TransactionInput,
): { link: Transaction | undefined } | Outcome {
  if (input.currency !== account.settings.currency) return refuse(400, 'currency_mismatch')
  const link = linkOf(world, input)
  if (link === 'unpaid') return badRequest()
  if (link !== undefined) {
    if (link.type !== 'payment' || link.status !== 'succeeded') return badRequest()
    if (refundedOf(world, link) + input.amount > link.amount) return badRequest()
  }
  if (input.type === 'refund' && input.amount > bucketsOf(world, account).available) {
    return refuse(402, 'insufficient_funds')
  }
  return { link }
}

export function addTransaction(
  world: World,
  account: Account,
  input: Omit<TransactionInput, 'account'>,
  link?: Transaction,
): Transaction {
  const { amount, currency, type, reference, metadata } = input
  const at = time()
  const base = { turn: world.turn, id: new Placeholder('txn'), created_at: at, updated_at: at }
  const what = { amount, currency, type, reference, metadata: { ...metadata } }
  const one: Transaction = { ...base, ...what, account, status: 'pending', link }
  account.had_money = true
  world.transactions.push(one)
  post(one, type === 'refund' ? -amount : 0, at, world.turn)
  expectEvent(world, account, 'transaction.created', showTransaction(one))
  return one
}

function post(transaction: Transaction, available: number, at: Placeholder, turn: number): void {
  const { account } = transaction
  // The order of several postings in one turn is unspecified.
  const is_only = account.postings.at(-1)?.turn !== turn
  account.postings.push({ transaction, available, at, turn })
  account.money_moved_at = is_only ? at : time()
}

/** Finds the linked payment by its id, or by the id of a payment request that must be paid. */
function linkOf(world: World, input: TransactionInput): Transaction | 'unpaid' | undefined {
  if (input.type !== 'refund') return undefined
  const request = world.payments.find(
    ({ account, id }) => account === input.account && id.value === input.reference,
  )
  if (request !== undefined) return request.transaction ?? 'unpaid'
  return world.transactions.find(
    ({ account, id }) => account === input.account && id.value === input.reference,
  )
}

const counted = (status: string) => status === 'pending' || status === 'succeeded'

export function refundedOf(world: World, payment: Transaction): number {
  return sum(world.transactions.filter((one) => one.link === payment && counted(one.status)))
}

function sum(transactions: Transaction[]): number {
  return transactions.reduce((total, { amount }) => total + amount, 0)
}

export function bucketsOf(world: World, account: Account) {
  const own = world.transactions.filter((one) => one.account === account)
  const into = own.filter(({ type }) => type !== 'refund')
  const out = own.filter(({ type }) => type === 'refund')
  const settled = sum(into.filter(({ status }) => status === 'succeeded'))
  return {
    available: settled - sum(out.filter(({ status }) => counted(status))),
    incoming: sum(into.filter(({ status }) => status === 'pending')),
    held: sum(out.filter(({ status }) => status === 'pending')),
  }
}

/** Ends a pending transaction and posts its effect on available. */
export function endTransaction(world: World, one: Transaction, to: FinalStatus): void {
  one.status = to
  one.updated_at = time()
  const is_refund = one.type === 'refund'
  const moves = is_refund ? to !== 'succeeded' : to === 'succeeded'
  post(one, moves ? one.amount : 0, one.updated_at, world.turn)
  expectEvent(world, one.account, `transaction.${to}`, showTransaction(one))
}

/** Returns the row if the actor may see it. Admins and platforms see all accounts, or one. */
export function visible<Row extends { account: Account }>(
  request: ModelRequest,
  actor: Actor,
  row: Row | undefined,
): { row: Row } | Outcome {
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  if (row === undefined) return notFound()
  if (actor.is_staff && acting.account === undefined) return { row }
  return row.account === acting.account ? { row } : notFound()
}

function find(
  request: ModelRequest,
  operation: 'read transactions' | 'write transactions' | 'settle',
  one: Transaction | undefined,
): { row: Transaction } | Outcome {
  const actor = authorize(request, operation)
  return 'status' in actor ? actor : visible(request, actor, one)
}

export function getTransaction(request: ModelRequest, one: Transaction | undefined): Outcome {
  const found = find(request, 'read transactions', one)
  return 'status' in found ? found : { status: 200, body: showTransaction(found.row) }
}

export function cancelTransaction(
  world: World,
  request: ModelRequest,
  one: Transaction | undefined,
): Outcome {
  const found = find(request, 'write transactions', one)
  if ('status' in found) return found
  const { row } = found
  if (row.status !== 'pending') return notCancellable()
  endTransaction(world, row, 'canceled')
  const { id, updated_at: canceled_at } = row
  return { status: 200, body: { id, status: 'canceled', canceled_at, message: anyText } }
}

export function settleTransaction(
  world: World,
  request: ModelRequest,
  one: Transaction | undefined,
  outcome: 'succeeded' | 'failed',
): Outcome {
  const found = find(request, 'settle', one)
  if ('status' in found) return found
  const { row } = found
  if (row.status !== 'pending') return conflict()
  endTransaction(world, row, outcome)
  return { status: 200, body: showTransaction(row) }
}

interface TransactionChanges {
  reference?: string | null | undefined
  metadata?: Metadata | null | undefined
  amount?: unknown
}

export function updateTransaction(
  world: World,
  request: ModelRequest,
  one: Transaction | undefined,
  changes: TransactionChanges,
): Outcome {
  const found = find(request, 'write transactions', one)
  if ('status' in found) return found
  const { row } = found
  // A closed account is read-only.
  if (row.account.status === 'closed') return notFound()
  if (changes.amount !== undefined) return conflict()
  const { reference = row.reference } = changes
  const metadata = merge(row.metadata, changes.metadata)
  if (reference !== row.reference || !same(metadata, row.metadata)) {
    Object.assign(row, { reference, metadata, updated_at: time() })
    expectEvent(world, row.account, 'transaction.updated', showTransaction(row))
  }
  return { status: 200, body: showTransaction(row) }
}

export interface MoneyListInput<Row> extends ListInput<Row> {
  status: string | undefined
  type?: string | undefined
}

export function listTransactions(
  world: World,
  request: ModelRequest,
  input: MoneyListInput<Transaction>,
): Outcome {
  const actor = authorize(request, 'read transactions')
  if ('status' in actor) return actor
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  // A user without an account has no transactions.
  const own = world.transactions.filter(({ account }) => account === acting.account)
  return page(own, input, showListed, ({ status, type }) => {
    return (input.status ?? status) === status && (input.type ?? type) === type
  })
}
