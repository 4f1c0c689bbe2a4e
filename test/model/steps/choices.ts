// What steps are made of. Every choice is a word or a number that means whatever the world has when
// the step is taken, so a shorter list of steps still means something.

import fc from 'fast-check'
import type { Cursor, Listed } from '../lists.ts'
import { findActor } from '../permissions.ts'
import type { Account, Caller, ModelRequest, Outcome, World } from '../world.ts'

/** A request, and what the model says to it. */
export interface Plan {
  request: ModelRequest
  outcome: Outcome
  /** What can only be done when the answer has come. */
  after?: () => void
}

/** A step, or nothing when the world has nothing to take it with. */
export interface Step {
  name: string
  data: object
  plan(world: World): Plan | undefined
}

/** Steps of one kind; `with` fixes some of what is chosen, for those that belong together. */
export type Steps<Data> = fc.Arbitrary<Step> & {
  with(fixed: Partial<Data>): fc.Arbitrary<Step>
}

export function step<Data extends object>(
  name: string,
  data: fc.Arbitrary<Data>,
  plan: (world: World, data: Data) => Plan | undefined,
): Steps<Data> {
  const toStep = (chosen: Data): Step => ({
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
/** Mostly none: a key is sent with some requests, and they are then sent again. */
export const key = fc.option(fc.uuid(), { nil: undefined, freq: 3 })

export const metadata = fc.dictionary(
  fc.constantFrom('a', 'b', 'sandbox_outcome'),
  fc.constantFrom(1, 'failed', null, []),
  { noNullPrototype: true, maxKeys: 2 },
)

export const newest = 39
const nobodys_number = 40

/** The one that a number means; seldom one that is not there. */
export function pick<Row>(rows: Row[], chosen: number): Row | undefined {
  if (chosen === nobodys_number) return undefined
  if (chosen === newest) return rows.at(-1)
  return rows[chosen % Math.max(1, rows.length)]
}

const words = ['owner', 'member', 'key', 'admin', 'platform', 'anonymous', 'invalid_token'] as const
type Word = (typeof words)[number]

/** Somebody by what they are to the account, or by number: any credential there ever was. */
export type CallerChoice = Word | number

const often = (word: Word, weight: number) => ({ weight, arbitrary: fc.constant(word) })

export const caller: fc.Arbitrary<CallerChoice> = fc.oneof(
  often('owner', 8),
  often('member', 2),
  often('key', 3),
  often('admin', 5),
  often('platform', 2),
  { weight: 3, arbitrary: fc.nat({ max: 30 }) },
  often('anonymous', 1),
  often('invalid_token', 1),
)

/** The credential that a choice means for this account. */
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

/** What stands in Florin-Account: what fits, nothing, any account or one that nobody knows. */
export const header = fc.oneof(
  { weight: 10, arbitrary: fc.constant('fitting' as const) },
  { weight: 1, arbitrary: fc.constantFrom('none' as const, 'unknown' as const) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }) },
)
export type HeaderChoice = 'fitting' | 'none' | 'unknown' | number

export function headerFor(
  world: World,
  choice: HeaderChoice,
  caller: Caller,
  account: Account | undefined,
): Account | 'unknown' | undefined {
  if (caller === 'anonymous' || choice === 'none') return undefined
  if (choice === 'unknown') return 'unknown'
  if (choice !== 'fitting') return pick(world.accounts, choice)
  // Only those who run the service have to say it.
  const actor = findActor(caller)
  return actor?.runs_service ? account : undefined
}

/** Who asks about this account, and the header that goes with it. */
export function callerAndAccountFor(
  world: World,
  data: { caller: CallerChoice; header: HeaderChoice },
  account: Account | undefined,
): Pick<ModelRequest, 'caller' | 'account'> {
  const asker = callerFor(world, data.caller, account)
  return { caller: asker, account: headerFor(world, data.header, asker, account) }
}

export const cursor = fc.option(
  fc.record({ edge: fc.constantFrom('starting_after', 'ending_before'), row: number }),
  { nil: undefined, freq: 2 },
)

export const list_limit = fc.constantFrom(1, 2, 3, 5, 100)

/** The query of a list, and the input that it is to the model. Cursors are mostly of the account. */
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
  const wanted: Cursor<Row> | undefined = edge && { edge, row }
  return { query, input: { limit: data.limit, cursor: wanted, ...filters } }
}

const nobodys = '01h455vb4pex5vsknk084sn02q'

/** The id in a path; one that is not there, or of another kind, when there is no row. */
export function idOf(row: { id: { known: string } } | undefined, prefix: string): string {
  return row?.id.known ?? `${prefix}_${nobodys}`
}
