// The operator's settlements at Mollie, and what each of them pays out. Mollie lists payments,
// captures, refunds and chargebacks of a settlement, and its costs as sums per month.

import {
  fractionsPerMinor,
  fromMollieAmount,
  type MollieAmount,
  toFraction,
} from './mollie-amounts.ts'
import type { BalanceEntry, BalancePage, ProviderBalance, ProviderSettlement } from './provider.ts'

const page_rows = 250

/** `get` calls the API with a token that may read settlements. */
export function mollieBalance(get: <Body>(path: string) => Promise<Body>): ProviderBalance {
  return {
    async listEntries(filter, cursor) {
      // What is not paid out yet is in no list.
      if (!('settlement_id' in filter)) return { rows: [], next: undefined }
      const path = `/v2/settlements/${encodeURIComponent(filter.settlement_id)}`
      if (cursor !== undefined) return listPart(get, path, cursor)
      const settlement = await get<MollieSettlement>(path)
      // Until then its entries and costs can change, and stored entries cannot.
      if (settlement.status !== 'paidout') return { rows: [], next: undefined }
      return { rows: costsOf(settlement), next: partNames[0] }
    },
    async listSettlements({ since }, cursor) {
      const path = `/v2/settlements?limit=${page_rows}${fromParameter(cursor)}`
      const page = await get<MolliePage<MollieSettlement>>(path)
      const listed = page._embedded.settlements ?? []
      const oldest = listed.at(-1)
      const continues = oldest !== undefined && createdAt(oldest) >= since
      return {
        rows: listed.filter(isClosed).map(settlementOf),
        next: continues ? nextOf(page) : undefined,
      }
    },
  }
}

interface MolliePage<Row> {
  _embedded: Partial<Record<string, Row[]>>
  _links: { next?: { href: string } | null }
}

interface MollieSettlement {
  id: string
  reference?: string | null
  createdAt?: string
  settledAt?: string | null
  status: string
  amount: MollieAmount
  /** By year and month. */
  periods?: Record<string, Record<string, MolliePeriod>>
}

interface MolliePeriod {
  revenue?: MollieSum[]
  costs?: MollieSum[]
}

interface MollieSum {
  /** With VAT, which Mollie also withholds. */
  amountGross: MollieAmount
}

/** The id of the first row of the next page. Never the address: it would get the token. */
function nextOf({ _links }: MolliePage<unknown>): string | undefined {
  if (!_links.next) return undefined
  return new URL(_links.next.href).searchParams.get('from') ?? undefined
}

function fromParameter(from: string | undefined): string {
  return from === undefined ? '' : `&from=${encodeURIComponent(from)}`
}

/** The open and the next settlement are not sent yet: they have neither an id nor a date. */
function isClosed({ id, status }: MollieSettlement): boolean {
  return status !== 'open' && id.startsWith('stl_')
}

function createdAt(settlement: MollieSettlement): Date {
  return new Date(settlement.createdAt ?? settlement.settledAt ?? Date.now())
}

function settlementOf(settlement: MollieSettlement): ProviderSettlement {
  const { id, reference, amount, status } = settlement
  const created_at = createdAt(settlement)
  return {
    id,
    amount: fromMollieAmount(amount),
    currency: amount.currency,
    status: statuses[status] ?? 'pending',
    grouping: groupings[status] ?? 'in_progress',
    created_at,
    arrives_at: settlement.settledAt ? new Date(settlement.settledAt) : created_at,
    references: reference ? [reference, id] : [id],
  }
}

const statuses: Record<string, ProviderSettlement['status']> = {
  pending: 'pending',
  'processing-at-bank': 'in_transit',
  paidout: 'paid',
  failed: 'failed',
}

const groupings: Record<string, ProviderSettlement['grouping']> = {
  paidout: 'complete',
  // A later settlement pays the same entries.
  failed: 'none',
}

/**
 * An entry for the costs of each month. Mollie adds them up with four digits and rounds the
 * settlement, so the last month contains the rounding.
 */
function costsOf(settlement: MollieSettlement): BalanceEntry[] {
  const { id, amount, periods = {} } = settlement
  const { currency } = amount
  const months = monthsOf(periods)
  const unit = fractionsPerMinor(currency)
  const costs = total(months.flatMap(({ costs }) => costs))
  const withheld = total(months.flatMap(({ revenue }) => revenue)) - toFraction(amount)
  const is_rounding = Math.abs(withheld - costs) < unit
  let until = 0
  return months.flatMap((month, index) => {
    const before = Math.round(until / unit)
    until += total(month.costs)
    if (is_rounding && index === months.length - 1) until = withheld
    const fee = Math.round(until / unit) - before
    return fee === 0 ? [] : [costEntry(`${id} costs ${month.name}`, settlement, fee)]
  })
}

/** Oldest first. */
function monthsOf(periods: NonNullable<MollieSettlement['periods']>) {
  const months = Object.entries(periods).flatMap(([year, of_year]) =>
    Object.entries(of_year).map(([month, { revenue = [], costs = [] }]) => ({
      name: `${year}-${month}`,
      revenue,
      costs,
    })),
  )
  return months.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Of the operator: Mollie does not list what a payment costs. */
function costEntry(id: string, settlement: MollieSettlement, fee: number): BalanceEntry {
  const { currency } = settlement.amount
  return {
    id,
    kind: 'other',
    source_id: null,
    charge_id: null,
    account_id: null,
    amount: 0,
    fee,
    currency,
    charged: { amount: 0, fee, currency },
    at: createdAt(settlement),
  }
}

function total(sums: MollieSum[]): number {
  return sums.reduce((sum, { amountGross }) => sum + toFraction(amountGross), 0)
}

/** The fields that payments, captures, refunds and chargebacks share. */
interface MollieItem {
  id: string
  paymentId?: string
  createdAt: string
  paidAt?: string
  amount: MollieAmount
  /** In the currency of the settlement. Negative for refunds and chargebacks. */
  settlementAmount?: MollieAmount | null
  metadata?: Metadata
  _embedded?: { payment?: { metadata?: Metadata } }
}

type Metadata = { florin_account_id?: string } | null

const parts: Record<string, { kind: BalanceEntry['kind']; sign: 1 | -1; query: string }> = {
  payments: { kind: 'charge', sign: 1, query: '' },
  // Of methods that are authorized first. Their payments are not listed.
  captures: { kind: 'charge', sign: 1, query: '&embed=payment' },
  refunds: { kind: 'refund', sign: -1, query: '' },
  chargebacks: { kind: 'dispute', sign: -1, query: '' },
}
const partNames = Object.keys(parts)

/** `cursor` is the name of the list, and the id of the first row after the first page. */
async function listPart(
  get: <Body>(path: string) => Promise<Body>,
  path: string,
  cursor: string,
): Promise<BalancePage<BalanceEntry>> {
  const [name, from] = cursor.split(' ') as [string, string | undefined]
  const part = parts[name]!
  const query = `limit=${page_rows}${part.query}${fromParameter(from)}`
  const page = await get<MolliePage<MollieItem>>(`${path}/${name}?${query}`)
  const next_from = nextOf(page)
  const next_part = partNames[partNames.indexOf(name) + 1]
  return {
    rows: (page._embedded[name] ?? []).map((item) => entryOf(item, part)),
    next: next_from === undefined ? next_part : `${name} ${next_from}`,
  }
}

function entryOf(item: MollieItem, { kind, sign }: (typeof parts)[string]): BalanceEntry {
  const { id, paymentId: payment_id = id, amount, settlementAmount: settled } = item
  const charged = sign * fromMollieAmount(amount)
  const is_charge = kind === 'charge'
  const metadata = item.metadata?.florin_account_id
    ? item.metadata
    : item._embedded?.payment?.metadata
  return {
    id,
    kind,
    source_id: is_charge ? payment_id : id,
    charge_id: is_charge ? null : payment_id,
    account_id: (is_charge && metadata?.florin_account_id) || null,
    // Less than what was charged if Mollie does not settle all of it, such as a gift card.
    amount: settled ? fromMollieAmount(settled) : charged,
    fee: 0,
    currency: (settled ?? amount).currency,
    charged: { amount: charged, fee: 0, currency: amount.currency },
    at: new Date(item.paidAt ?? item.createdAt),
  }
}
