// A journal in the formats of accounting tools. Each posting is one entry between two accounts. The
// files repeat the balances that Florin stores as assertions, so the tool that reads a file checks
// that the postings add up to them.

import type { BucketBalances } from '../ledger/journal-postings.ts'
import { type Bucket, type Movement, movements } from '../ledger/posting-rules.ts'
import { minorDigits } from '../primitives/currencies.ts'
import { csvAmount, decimalText } from '../primitives/money.ts'
import { csvRecord } from '../primitives/text.ts'
import type { Cause } from './statement-line.ts'
import type { TransactionRow } from './transaction.ts'

export const journalFormats = ['beancount', 'hledger', 'csv'] as const

export type JournalFormat = (typeof journalFormats)[number]

export interface JournalEntry {
  sequence: number
  /** In the time zone of the account. Never earlier than that of the entry before. */
  date: string
  created_at: string
  transaction_id: string
  type: Cause['type']
  movement: Movement
  reference: string | null
  customer_email: string | null
  amount: number
  available_after: number
}

/** What is known before the first entry. */
export interface JournalStart {
  account_name: string
  currency: string
  date: string
  opening: BucketBalances
}

interface JournalEnd {
  /** Of the last entry, or of the start. */
  date: string
  available: number
  /** Known if the journal ends with the newest posting. */
  balances: BucketBalances | undefined
}

interface JournalWriter {
  start(start: JournalStart): string
  entry(entry: JournalEntry, start: JournalStart): string
  /** After the last entry of a day, once a later day has begun. */
  dayEnd(date: string, available: number, start: JournalStart): string
  end(end: JournalEnd, start: JournalStart): string
}

const bucketAccounts = {
  available: 'Assets:Florin:Available',
  incoming: 'Assets:Florin:Incoming',
  held: 'Assets:Florin:Held',
  owed: 'Liabilities:Owed',
} as const satisfies Record<Exclude<Bucket, 'external'>, string>

const buckets = Object.keys(bucketAccounts) as (keyof BucketBalances)[]

const opening_account = 'Equity:Opening-Balances'
// Money from and to other accounts of Florin.
const transfer_account = 'Equity:Transfers'
// Money that leaves the account to its owner.
const payout_account = 'Equity:Payouts'

const incomeAccounts = {
  payment: 'Income:Payments',
  credit: 'Income:Credits',
  refund: 'Income:Refunds',
} as const satisfies Record<TransactionRow['type'], string>

const movementAccounts: Partial<Record<Movement, string>> = {
  fee: 'Expenses:Fees',
  withdraw: 'Expenses:Disputes',
  reinstate: 'Expenses:Disputes',
}

const chart = [
  ...Object.values(bucketAccounts),
  ...Object.values(incomeAccounts),
  ...new Set(Object.values(movementAccounts)),
  opening_account,
  transfer_account,
  payout_account,
]

/** For the outside, the account depends on the kind of money. */
function accountOf(bucket: Bucket, { movement, type }: JournalEntry): string {
  if (bucket !== 'external') return bucketAccounts[bucket]
  if (type === 'transfer') return transfer_account
  if (type === 'payout') return payout_account
  return movementAccounts[movement] ?? incomeAccounts[type]
}

function sidesOf(entry: JournalEntry): { debit: string; credit: string } {
  const { from, to } = movements[entry.movement]
  return { debit: accountOf(to, entry), credit: accountOf(from, entry) }
}

const movementTexts: Record<Movement, string> = {
  arrive: 'pending',
  settle: 'settled',
  return: 'ended without money',
  hold: 'held',
  pay_out: 'paid out',
  release: 'released',
  fee: 'provider fee',
  withdraw: 'disputed amount withdrawn',
  reinstate: 'disputed amount returned',
  overdraw: 'debt to the operator',
  repay: 'repayment to the operator',
  payout_hold: 'held',
  payout_pay: 'paid out',
  payout_release: 'released',
  payout_return: 'returned by the bank',
}

const transferTexts: Partial<Record<Movement, string>> = { withdraw: 'out', reinstate: 'in' }

/** For people, such as "Payment settled: Invoice 114". */
function narrationOf({ type, movement, reference }: JournalEntry): string {
  const of_transfer = type === 'transfer' ? transferTexts[movement] : undefined
  const kind = `${type[0]!.toUpperCase()}${type.slice(1)}`
  const text = `${kind} ${of_transfer ?? movementTexts[movement]}`
  return reference === null ? text : `${text}: ${reference}`
}

function amountIn(amount: number, currency: string): string {
  return `${decimalText(amount, minorDigits(currency))} ${currency}`
}

/** A debit of the buckets, and the opposite amount of the opening account. */
function openingLines({ opening, currency }: JournalStart): string[] {
  const lines = buckets.filter((bucket) => opening[bucket] !== 0)
  const total = lines.reduce((sum, bucket) => sum + opening[bucket], 0)
  return [
    ...lines.map((name) => `  ${bucketAccounts[name]}  ${amountIn(opening[name], currency)}\n`),
    ...(lines.length === 0 ? [] : [`  ${opening_account}  ${amountIn(-total, currency)}\n`]),
  ]
}

function beancountText(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** Beancount checks a balance at the start of a day. `~ 0` requires it to be exact. */
function beancountBalance(date: string, account: string, amount: number, currency: string): string {
  const exact = decimalText(amount, minorDigits(currency))
  return `${date} balance ${account}  ${exact} ~ 0 ${currency}\n`
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}

const beancount: JournalWriter = {
  start: (start) => {
    const opening = openingLines(start)
    const head = `\n${start.date} * "Opening balances"\n`
    return [
      `option "title" ${beancountText(start.account_name)}\n`,
      `option "operating_currency" "${start.currency}"\n\n`,
      ...chart.map((account) => `${start.date} open ${account}  ${start.currency}\n`),
      ...(opening.length === 0 ? [] : [head, ...opening]),
    ].join('')
  },
  entry: (entry, { currency }) => {
    const { debit, credit } = sidesOf(entry)
    const payee = entry.customer_email === null ? '' : `${beancountText(entry.customer_email)} `
    return (
      `\n${entry.date} * ${payee}${beancountText(narrationOf(entry))} ^${entry.transaction_id}\n` +
      `  sequence: ${entry.sequence}\n  movement: "${entry.movement}"\n` +
      `  created_at: "${entry.created_at}"\n` +
      `  ${debit}  ${amountIn(entry.amount, currency)}\n` +
      `  ${credit}  ${amountIn(-entry.amount, currency)}\n`
    )
  },
  dayEnd: (date, available, { currency }) =>
    `\n${beancountBalance(dayAfter(date), bucketAccounts.available, available, currency)}`,
  end: ({ date, available, balances }, { currency }) => {
    const known = balances === undefined ? [] : buckets.filter((name) => name !== 'available')
    const lines = known.map((name) =>
      beancountBalance(dayAfter(date), bucketAccounts[name], balances![name], currency),
    )
    const first = beancountBalance(dayAfter(date), bucketAccounts.available, available, currency)
    return `\n${[first, ...lines].join('')}`
  },
}

/** A semicolon starts a comment, and a bar ends the payee. */
function hledgerText(text: string): string {
  return text.replaceAll(';', ',').replaceAll('|', '/')
}

/** hledger checks a balance after the line that it follows. */
function hledgerLine(account: string, amount: string, after?: string): string {
  return `    ${account}  ${amount}${after === undefined ? '' : ` = ${after}`}\n`
}

const hledger: JournalWriter = {
  start: (start) => {
    const { currency, date } = start
    const digits = minorDigits(currency)
    const opening = openingLines(start)
    return [
      `; ${hledgerText(start.account_name)}\n\ndecimal-mark .\n`,
      `commodity 1000.${'0'.repeat(digits)} ${currency}\n\n`,
      ...chart.map((account) => `account ${account}\n`),
      ...(opening.length === 0 ? [] : [`\n${date} * Opening balances\n`, ...opening]),
    ].join('')
  },
  entry: (entry, { currency }) => {
    const { debit, credit } = sidesOf(entry)
    const payee = entry.customer_email === null ? '' : `${hledgerText(entry.customer_email)} | `
    const checked = (account: string) =>
      account === bucketAccounts.available ? amountIn(entry.available_after, currency) : undefined
    return (
      `\n${entry.date} * (${entry.sequence}) ${payee}${hledgerText(narrationOf(entry))}\n` +
      `    ; transaction:${entry.transaction_id}, movement:${entry.movement}, ` +
      `created_at:${entry.created_at}\n` +
      hledgerLine(debit, amountIn(entry.amount, currency), checked(debit)) +
      hledgerLine(credit, amountIn(-entry.amount, currency), checked(credit))
    )
  },
  dayEnd: () => '',
  end: ({ date, available, balances }, { currency }) => {
    const zero = amountIn(0, currency)
    const known: Partial<BucketBalances> = { ...balances, available }
    const lines = buckets.flatMap((name) => {
      const amount = known[name]
      if (amount === undefined) return []
      return [hledgerLine(bucketAccounts[name], zero, amountIn(amount, currency))]
    })
    return `\n${date} * Closing balances\n${lines.join('')}`
  },
}

const csv: JournalWriter = {
  start: () =>
    csvRecord([
      'sequence',
      'date',
      'created_at',
      'transaction_id',
      'type',
      'movement',
      'reference',
      'customer_email',
      'debit_account',
      'credit_account',
      'currency',
      'amount',
      'available_after',
    ]),
  entry: (entry, { currency }) => {
    const { debit, credit } = sidesOf(entry)
    return csvRecord([
      entry.sequence,
      entry.date,
      entry.created_at,
      entry.transaction_id,
      entry.type,
      entry.movement,
      entry.reference,
      entry.customer_email,
      debit,
      credit,
      currency,
      csvAmount(entry.amount, currency),
      csvAmount(entry.available_after, currency),
    ])
  },
  dayEnd: () => '',
  end: () => '',
}

export const journalWriters: Record<JournalFormat, JournalWriter> = { beancount, hledger, csv }
