// Who may do what, copied by hand from the specification's table and from nowhere else.

import type {
  Account,
  ApiKey,
  Caller,
  ModelRequest,
  Outcome,
  Person,
  Role,
  Session,
  World,
} from './world.ts'
import { badRequest, forbidden, notFound, unauthorized } from './world.ts'

/** yes: go on and look at the object. header: the account must be named. 401, 403: never. */
type May = 'yes' | 'header' | 401 | 403

/** What a key needs; without one no key may, and is told the number. */
type KeyRule = string | 401 | 403

type Row = [admin: May, platform: May, owner: May, member: May, lone: May, key: KeyRule]

const rows = {
  'list users': ['yes', 'yes', 403, 403, 403, 403],
  'list accounts': ['yes', 'yes', 403, 403, 403, 403],
  'create user': ['yes', 'yes', 'yes', 401, 401, 401],
  'create account': ['yes', 'yes', 401, 401, 'yes', 401],
  'retrieve user': ['yes', 'yes', 'yes', 'yes', 'yes', 401],
  'update user': ['yes', 401, 'yes', 'yes', 'yes', 401],
  'delete user': ['yes', 403, 'yes', 'yes', 'yes', 403],
  'retrieve account': ['header', 'header', 'yes', 'yes', 403, 'accounts:read'],
  'update account': ['header', 401, 'yes', 401, 401, 401],
  'close account': ['header', 403, 'yes', 403, 403, 403],
  'list account users': ['header', 'header', 'yes', 'yes', 403, 401],
  'retrieve account by id': ['yes', 'yes', 401, 401, 401, 401],
  'update account by id': ['yes', 401, 401, 401, 401, 401],
  'read transactions': ['yes', 'yes', 'yes', 'yes', 'yes', 'transactions:read'],
  'write transactions': ['yes', 'yes', 'yes', 'yes', 'yes', 'transactions:write'],
  'read payments': ['yes', 'yes', 'yes', 'yes', 'yes', 'payments:read'],
  'write payments': ['yes', 'yes', 'yes', 'yes', 'yes', 'payments:write'],
  settle: ['yes', 'yes', 401, 401, 401, 401],
  'read balances': ['header', 'header', 'yes', 'yes', 403, 'balance:read'],
  'read events': ['header', 'header', 'yes', 'yes', 403, 'events:read'],
  'read subscriptions': ['header', 'header', 'yes', 'yes', 403, 'subscriptions:read'],
  'write subscriptions': ['header', 'header', 'yes', 'yes', 403, 'subscriptions:write'],
  'manage keys': ['header', 401, 'yes', 401, 403, 401],
  'manage webhooks': ['header', 401, 'yes', 401, 403, 401],
  'advance clock': ['yes', 401, 401, 401, 401, 401],
  'use sessions': ['yes', 'yes', 'yes', 'yes', 'yes', 401],
} as const satisfies Record<string, Row>

export type Operation = keyof typeof rows

const columns: Role[] = ['admin', 'platform', 'owner', 'member', 'lone']

/** Where a key without the scope is forbidden and not unauthorized. */
const forbidding: Operation[] = [
  'list users',
  'list accounts',
  'retrieve account',
  'delete user',
  'close account',
]

/** Somebody whose credential is good. A key acts for its account and is nobody. */
export interface Actor {
  role: Role | 'key'
  person: Person | undefined
  account: Account | undefined
  session: Session | undefined
  key: ApiKey | undefined
  /** Admins and platforms: they act on the account that the header names, and see all without. */
  runs_service: boolean
}

export function findActor(caller: Caller): Actor | undefined {
  if (caller === 'anonymous' || caller === 'invalid_token') return undefined
  if ('key' in caller) {
    const { key } = caller
    if (key.revoked_at !== null) return undefined
    const nobody = { person: undefined, session: undefined, runs_service: false }
    return { role: 'key', account: key.account, key, ...nobody }
  }
  const { session } = caller
  if (session.ended) return undefined
  const { person } = session
  const runs_service = person.role === 'admin' || person.role === 'platform'
  const { role, account } = person
  return { role, person, account, session, key: undefined, runs_service }
}

/** The actor, or why the request is refused before its body is read. */
export function authorize(request: ModelRequest, operation: Operation): Actor | Outcome {
  const actor = findActor(request.caller)
  if (actor === undefined) return unauthorized()
  if (actor.key !== undefined) return authorizeKey(actor, actor.key, operation)
  const may: May = rows[operation][columns.indexOf(actor.role as Role)] as May
  if (may === 401) return unauthorized()
  if (may === 403) return forbidden()
  if (may === 'header' && request.account === undefined) return forbidden()
  return actor
}

function authorizeKey(actor: Actor, key: ApiKey, operation: Operation): Actor | Outcome {
  const rule: KeyRule = rows[operation][5]
  if (rule === 401) return unauthorized()
  if (rule === 403) return forbidden()
  if (key.scopes.includes('*') || key.scopes.includes(rule)) return actor
  return forbidding.includes(operation) ? forbidden() : unauthorized()
}

/** The account that the request is about; undefined for a lone user, and for all accounts. */
export function actingAccount(
  request: ModelRequest,
  actor: Actor,
): { account: Account | undefined } | Outcome {
  const { account: named } = request
  if (named === 'unknown') return notFound()
  if (actor.runs_service) return { account: named }
  if (named !== undefined && named !== actor.account) return notFound()
  return { account: actor.account }
}

/** For calls that need an account: the actor, and the account it acts on. The body comes first. */
export function authorizeForAccount(
  request: ModelRequest,
  operation: Operation,
  body: 'good' | 'bad' = 'good',
): { actor: Actor; account: Account } | Outcome {
  const actor = authorize(request, operation)
  if ('status' in actor) return actor
  if (body === 'bad') return badRequest()
  const acting = actingAccount(request, actor)
  if ('status' in acting) return acting
  return acting.account === undefined ? notFound() : { actor, account: acting.account }
}

/** Ends everything that a person could still request with. */
export function endSessions(world: World, person: Person, but?: Session): void {
  for (const session of world.sessions) {
    if (session.person === person && session !== but) session.ended = true
  }
}
