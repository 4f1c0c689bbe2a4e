// The building blocks of steps. Every choice is a word or number that is resolved against the world
// when the step runs, so a shrunk list of steps is still valid.

import fc from 'fast-check'
import type { Cursor, Listed } from '../lists.ts'
import { findActor } from '../permissions.ts'
import type { Account, Caller, ModelRequest, Outcome, World } from '../world.ts'

/** A request and the model's outcome. */
interface Plan {
  request: ModelRequest
  outcome: Outcome
  /** Runs after the response has been received. */
  after?: () => void
}

/** A step. Its plan is undefined if the world has nothing that it could act on. */
export interface ModelStep {
  name: string
  data: object
  plan(world: World): Plan | undefined
}

/** Steps of one kind. `with` fixes some of the choices, for journeys. */
type Steps<Data> = fc.Arbitrary<ModelStep> & {
  with(fixed: Partial<Data>): fc.Arbitrary<ModelStep>
}

export function step<Data extends object>(
  name: string,
  data: fc.Arbitrary<Data>,
  plan: (world: World, data: Data) => Plan | undefined,
): Steps<Data> {
  const toStep = (chosen: Data): ModelStep => ({
    name,
    data: chosen,
    plan: (world) => plan(world, chosen),
  })
  const fix = (fixed: Partial<Data>) => data.map((chosen) => toStep({ ...chosen, ...fixed }))
  return Object.assign(data.map(toStep), { with: fix })
}

export const number = fc.nat({ max: 40 })
export const amount = fc.integer({ min: 1, max: 300 })
export const reference = fc.constantFrom(null, null, 'one', 'two')
export const customer_email = fc.constantFrom('ann@example.com', 'bob@example.com')
export const currency = fc.constantFrom(...Array.from({ length: 15 }, () => 'USD'), 'EUR')
/** Usually none. Requests with a key are repeated later. */
export const key = fc.option(fc.uuid(), { nil: undefined, freq: 3 })

export const metadata = fc.dictionary(
  fc.constantFrom('a', 'b', 'sandbox_outcome'),
  fc.constantFrom(1, 'failed', null, []),
  { noNullPrototype: true, maxKeys: 2 },
)

export const newest = 39
const unknown_number = 40

/** Returns the row for a number; sometimes undefined, for a row that does not exist. */
export function pick<Row>(rows: Row[], chosen: number): Row | undefined {
  if (chosen === unknown_number) return undefined
  if (chosen === newest) return rows.at(-1)
  return rows[chosen % Math.max(1, rows.length)]
}

const caller_kinds = [
  'owner',
  'member',
  'viewer',
  'key',
  'admin',
  'platform',
  'anonymous',
  'invalid_token',
] as const
type CallerKind = (typeof caller_kinds)[number]

/** A caller by relation to the account, or by number: any credential that ever existed. */
type CallerChoice = CallerKind | number

const often = (kind: CallerKind, weight: number) => ({ weight, arbitrary: fc.constant(kind) })

export const caller: fc.Arbitrary<CallerChoice> = fc.oneof(
  often('owner', 8),
  often('member', 2),
  often('viewer', 1),
  often('key', 3),
  often('admin', 5),
  often('platform', 2),
  { weight: 3, arbitrary: fc.nat({ max: 30 }) },
  often('anonymous', 1),
  often('invalid_token', 1),
)

/** Returns the credential for a choice and an account. */
export function callerFor(
  world: World,
  choice: CallerChoice,
  account: Account | undefined,
): Caller {
  if (choice === 'anonymous' || choice === 'invalid_token') return choice
  const sessions = world.sessions.map((session): Caller => ({ session }))
  const keys = world.keys.map((key): Caller => ({ key }))
  if (typeof choice === 'number') return pick([...sessions, ...keys], choice)!
  const staff = choice === 'admin' || choice === 'platform'
  const fitting = [...sessions, ...keys].findLast((one) => {
    const actor = findActor(one)
    return actor?.role === choice && (staff || actor.account === account)
  })
  return fitting ?? ownerOf(world, account) ?? 'anonymous'
}

function ownerOf(world: World, account: Account | undefined): Caller | undefined {
  const session = world.sessions.findLast(({ person, ended }) => {
    return person.role === 'owner' && person.account === account && !ended
  })
  return session && { session }
}

/** The Florin-Account header: a fitting one, none, any account, or an unknown one. */
export const header = fc.oneof(
  { weight: 10, arbitrary: fc.constant('fitting' as const) },
  { weight: 1, arbitrary: fc.constantFrom('none' as const, 'unknown' as const) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }) },
)
type HeaderChoice = 'fitting' | 'none' | 'unknown' | number

function headerFor(
  world: World,
  choice: HeaderChoice,
  caller: Caller,
  account: Account | undefined,
): Account | 'unknown' | undefined {
  if (caller === 'anonymous' || choice === 'none') return undefined
  if (choice === 'unknown') return 'unknown'
  if (choice !== 'fitting') return pick(world.accounts, choice)
  // Only admins and platforms need the header.
  const actor = findActor(caller)
  return actor?.is_staff ? account : undefined
}

/** Returns a caller for this account, and the corresponding header. */
export function callerAndAccountFor(
  world: World,
  data: { caller: CallerChoice; header: HeaderChoice },
  account: Account | undefined,
): Pick<ModelRequest, 'caller' | 'account'> {
  const requester = callerFor(world, data.caller, account)
  return { caller: requester, account: headerFor(world, data.header, requester, account) }
}

export const cursor = fc.option(
  fc.record({ edge: fc.constantFrom('starting_after', 'ending_before'), row: number }),
  { nil: undefined, freq: 2 },
)

export const list_limit = fc.constantFrom(1, 2, 3, 5, 100)

/** The query of a list and the model's input. Most cursors belong to the account. */
export function listQuery<Row extends Listed & { account?: Account | undefined }>(
  all: Row[],
  data: { limit: number; cursor: { edge: string; row: number } | undefined },
  filters: Record<string, string | undefined> = {},
  account?: Account,
) {
  const own = all.filter((row) => row.account === account)
  const rows = own.length > 0 && data.limit !== 5 ? own : all
  const row = data.cursor && pick(rows, data.cursor.row)
  const edge = data.cursor?.edge as Cursor<Row>['edge'] | undefined
  const query = new URLSearchParams({ limit: String(data.limit) })
  if (edge !== undefined) query.set(edge, row?.id.known ?? 'nothing')
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
  const model_cursor: Cursor<Row> | undefined = edge && { edge, row }
  return { query, input: { limit: data.limit, cursor: model_cursor, ...filters } }
}

const unknown_id = '01h455vb4pex5vsknk084sn02q'

/** Returns the id for a path; an unknown id, or one of another kind, if there is no row. */
export function idOf(row: { id: { known: string } } | undefined, prefix: string): string {
  return row?.id.known ?? `${prefix}_${unknown_id}`
}
