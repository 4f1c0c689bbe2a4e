// The operator's bank in the simulation of a month: what payers and the provider transfer, and a
// camt.053 for each day. It knows nothing of Florin.

import { account_iban, type SampleStatement, writeCamt } from '../bank/statements/write-samples.ts'

type Entry = SampleStatement['entries'][number]

interface BankTransfer {
  /** In cents; negative for a debit. */
  signed: number
  name: string
  text: string
}

/** Marks the text of an entry that returns a transfer. */
const returned = ' RETURNED'

const iban = 'FR1420041010050500013M02606'

export class MonthBank {
  readonly #entries = new Map<number, Entry[]>()
  readonly #dayText: (day: number) => string
  #balance = 1_000_000
  #references = 0

  constructor(dayText: (day: number) => string) {
    this.#dayText = dayText
  }

  add(day: number, { signed, name, text }: BankTransfer): void {
    const reference = `B${++this.#references}`
    const booked_on = this.#dayText(day)
    const entry = { signed, name, text, iban, booked_on, reference, end_to_end_id: null }
    this.#entries.set(day, [...(this.#entries.get(day) ?? []), entry])
  }

  /** Executes a payment file, and returns its refunds a day later or on the same day. */
  execute(day: number, file: string, is_collective: boolean): void {
    const pattern = /<EndToEndId>(.*?)<.*?<InstdAmt Ccy="EUR">(\d+)\.(\d\d)</g
    const transfers = [...file.matchAll(pattern)].map(([, id, euros, cents]) => ({
      id: id!.toUpperCase(),
      amount: Number(`${euros}${cents}`),
    }))
    const debit = (amount: number, id: string) =>
      this.add(day, { signed: 0 - amount, name: 'Various', text: `SEPA ${id}` })
    const total = transfers.reduce((sum, { amount }) => sum + amount, 0)
    if (is_collective) debit(total, /<PmtInfId>(.*?)</.exec(file)![1]!)
    for (const { id, amount } of transfers) {
      if (!is_collective) debit(amount, id)
      if (!id.startsWith('TXN')) continue
      const text = `${id}${returned}`
      this.add(day + (amount % 2), { signed: amount, name: 'Jane Doe', text })
    }
  }

  /** Once per day, in the order of the days. */
  statementOf(day: number): string {
    const entries = this.#entries.get(day) ?? []
    const opening = this.#balance
    this.#balance += entries.reduce((sum, { signed }) => sum + signed, 0)
    const file = writeCamt({ iban: account_iban, sequence: day + 1, opening, entries }, '08')
    return file
      .replaceAll('<Dt><Dt>2026-11-18</Dt></Dt>', `<Dt><Dt>${this.#dayText(day)}</Dt></Dt>`)
      .replaceAll(
        `${returned}</Ustrd></RmtInf>`,
        '</Ustrd></RmtInf><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>',
      )
  }
}
