// The settlements of the stand-in for Mollie: transfers to the operator's bank with the payments,
// captures, refunds and chargebacks that they pay out. Field names, statuses, pages and decimals
// are those of Mollie's OpenAPI description.

interface Amount {
  currency: string
  value: string
}

type Row = Record<string, unknown> & { id: string }

export interface Reply {
  status: number
  body?: unknown
}

const lists = ['payments', 'captures', 'refunds', 'chargebacks'] as const
type ListName = (typeof lists)[number]

interface NewSettlement {
  amount: string
  currency?: string
  status?: string
  /** The costs with VAT, by month: { '2026-11': '0.6292' }. */
  costs?: Record<string, string>
  /** What was received, with refunds and chargebacks, by month. */
  revenue?: Record<string, string>
  rows?: Partial<Record<ListName, Row[]>>
  at?: Date
}

export class FakeMollieSettlements {
  /** A token with every permission. */
  readonly token = 'access_settlements'
  /** Tokens of the organization that lack a permission. */
  readonly weak_token = 'access_without_permission'
  /** Oldest first. */
  readonly settlements: Row[] = []
  /** Statuses of the next responses; 200 for none. */
  readonly faults: number[] = []
  /** Mollie's largest page is 250 rows. */
  page_max = 250
  readonly #lists = new Map<string, Row[]>()

  add(fields: NewSettlement): Row {
    const { currency = 'EUR', status = 'paidout', rows = {}, at = new Date() } = fields
    const number = this.settlements.length + 1
    const id = `stl_${String(number).padStart(6, '0')}`
    const row: Row = {
      resource: 'settlement',
      id,
      reference: `1234567.2611.${String(number).padStart(2, '0')}`,
      createdAt: at.toISOString(),
      settledAt: status === 'paidout' ? at.toISOString() : null,
      status,
      amount: { currency, value: fields.amount },
      balanceId: 'bal_1',
      invoiceId: null,
      periods: periodsOf(fields, currency),
      _links: { self: linkTo(`/v2/settlements/${id}`) },
    }
    for (const name of lists) this.#lists.set(`${id}/${name}`, rows[name] ?? [])
    this.settlements.push(row)
    return row
  }

  /** `path` starts with /v2/settlements. */
  respond(path: string, params: URLSearchParams, authorization = ''): Reply {
    const fault = this.faults.shift()
    if (fault !== undefined && fault !== 200) return failure(fault, `Fault ${fault}`)
    if (authorization === `Bearer ${this.weak_token}` || !/^Bearer access_/.test(authorization)) {
      return failure(403, 'Your access token does not have the required permission')
    }
    if (authorization !== `Bearer ${this.token}`) {
      return failure(401, 'Missing authentication, or failed to authenticate')
    }
    const [, , , id, name] = path.split('/')
    // The list has only sums: Mollie's example shows no periods there.
    const listed = this.settlements.map((row) => ({ ...row, periods: {} }))
    if (id === undefined) return this.#page(listed.toReversed(), path, 'settlements', params)
    const found = this.settlements.find((row) => row.id === id)
    if (found === undefined) return failure(404, `No settlement exists with token ${id}.`)
    if (name === undefined) return { status: 200, body: found }
    const rows = (this.#lists.get(`${id}/${name}`) ?? []).toReversed()
    const embeds = params.get('embed') === 'payment'
    const shown = embeds ? rows : rows.map(({ _embedded, ...row }) => row)
    return this.#page(shown as Row[], path, name, params)
  }

  /** Newest first. `from` is the first row of the page. */
  #page(rows: Row[], path: string, name: string, params: URLSearchParams): Reply {
    const limit = Math.min(Number(params.get('limit') ?? 50), this.page_max)
    const from = params.get('from')
    const start = from === null ? 0 : rows.findIndex(({ id }) => id === from)
    if (start < 0) return failure(400, 'The from parameter is invalid')
    const page = rows.slice(start, start + limit)
    const next = rows[start + limit]
    const body = {
      count: page.length,
      _embedded: { [name]: page },
      _links: {
        self: linkTo(path),
        previous: null,
        next: next ? linkTo(`${path}?from=${next.id}&limit=${limit}`) : null,
        documentation: { href: 'https://docs.mollie.com', type: 'text/html' },
      },
    }
    return { status: 200, body }
  }
}

/** Always the address of Mollie itself, as through a proxy. */
function linkTo(path: string) {
  return { href: `https://api.mollie.com${path}`, type: 'application/hal+json' }
}

function periodsOf({ costs = {}, revenue = {} }: NewSettlement, currency: string) {
  const periods: Record<string, Record<string, unknown>> = {}
  for (const name of new Set([...Object.keys(costs), ...Object.keys(revenue)])) {
    const [year, month] = name.split('-') as [string, string]
    periods[year] ??= {}
    periods[year][month] = {
      revenue: sumsOf(revenue[name], currency),
      costs: sumsOf(costs[name], currency),
      invoiceId: 'inv_1',
    }
  }
  return periods
}

function sumsOf(value: string | undefined, currency: string) {
  if (value === undefined) return []
  const amount: Amount = { currency, value }
  const rate = { fixed: { currency, value: '0.2900' }, percentage: null }
  const sums = { amountNet: amount, amountVat: null, amountGross: amount }
  return [{ description: 'iDEAL', method: 'ideal', count: 1, rate, ...sums }]
}

function failure(status: number, detail: string): Reply {
  const documentation = { href: 'https://docs.mollie.com', type: 'text/html' }
  return { status, body: { status, title: 'Error', detail, _links: { documentation } } }
}
