// The permission table, written by hand from the specification, independently of the code.

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

/** yes: continue to the object. header: Florin-Account is required. 401, 403: always rejected. */
type RoleRule = 'yes' | 'header' | 401 | 403

/** The scope that a key needs, or the status if no key may. */
type KeyRule = string | 401 | 403

type Row = [
  admin: RoleRule,
  platform: RoleRule,
  owner: RoleRule,
  member: RoleRule,
  viewer: RoleRule,
  lone: RoleRule,
  key: KeyRule,
]

const rows = {
  'list users': ['yes', 'yes', 403, 403, 403, 403, 403],
  'list accounts': ['yes', 'yes', 403, 403, 403, 403, 403],
  'create user': ['yes', 'yes', 'yes', 401, 401, 401, 401],
  'create account': ['yes', 'yes', 401, 401, 401, 'yes', 401],
  'retrieve user': ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 401],
  'update user': ['yes', 401, 'yes', 'yes', 'yes', 'yes', 401],
  'delete user': ['yes', 403, 'yes', 'yes', 'yes', 'yes', 403],
  'retrieve account': ['header', 'header', 'yes', 'yes', 'yes', 403, 'accounts:read'],
  'update account': ['header', 401, 'yes', 401, 401, 401, 401],
  'close account': ['header', 403, 'yes', 403, 403, 403, 403],
  'list account users': ['header', 'header', 'yes', 'yes', 'yes', 403, 401],
  'change role': ['header', 401, 'yes', 401, 401, 403, 401],
  'retrieve account by id': ['yes', 'yes', 401, 401, 401, 401, 401],
  'update account by id': ['yes', 401, 401, 401, 401, 401, 401],
  'read transactions': ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'transactions:read'],
  'write transactions': ['yes', 'yes', 'yes', 'yes', 401, 'yes', 'transactions:write'],
  'read payments': ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'payments:read'],
  'write payments': ['yes', 'yes', 'yes', 'yes', 401, 'yes', 'payments:write'],
  settle: ['yes', 'yes', 401, 401, 401, 401, 401],
  'read balances': ['header', 'header', 'yes', 'yes', 'yes', 403, 'balance:read'],
  'read events': ['header', 'header', 'yes', 'yes', 'yes', 403, 'events:read'],
  'read subscriptions': ['header', 'header', 'yes', 'yes', 'yes', 403, 'subscriptions:read'],
  'write subscriptions': ['header', 'header', 'yes', 'yes', 401, 403, 'subscriptions:write'],
  'manage keys': ['header', 401, 'yes', 401, 401, 403, 401],
  'manage webhooks': ['header', 401, 'yes', 401, 401, 403, 401],
  'advance clock': ['yes', 401, 401, 401, 401, 401, 401],
  'use sessions': ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 401],
} as const satisfies Record<string, Row>

type Operation = keyof typeof rows

const columns: Role[] = ['admin', 'platform', 'owner', 'member', 'viewer', 'lone']

/** Operations that return 403 instead of 401 to a key without the scope. */
const forbidding: Operation[] = [
  'list users',
  'list accounts',
  'retrieve account',
  'delete user',
  'close account',
]

/** A caller with a valid credential. A key acts for its account and has no person. */
export interface Actor {
  role: Role | 'key'
  person: Person | undefined
  account: Account | undefined
  session: Session | undefined
  key: ApiKey | undefined
  /** Admins and platforms: they act on the account in the header, and on all without one. */
  is_staff: boolean
}

export function findActor(caller: Caller): Actor | undefined {
  if (caller === 'anonymous' || caller === 'invalid_token') return undefined
  if ('key' in caller) {
    const { key } = caller
    if (key.revoked_at !== null) return undefined
    const without_person = { person: undefined, session: undefined, is_staff: false }
    return { role: 'key', account: key.account, key, ...without_person }
  }
  const { session } = caller
  if (session.ended) return undefined
  const { person } = session
  const is_staff = person.role === 'admin' || person.role === 'platform'
  const { role, account } = person
  return { role, person, account, session, key: undefined, is_staff }
}

/** Returns the actor, or the error that is returned before the body is read. */
export function authorize(request: ModelRequest, operation: Operation): Actor | Outcome {
  const actor = findActor(request.caller)
  if (actor === undefined) return unauthorized()
  if (actor.key !== undefined) return authorizeKey(actor, actor.key, operation)
  const rule: RoleRule = rows[operation][columns.indexOf(actor.role as Role)] as RoleRule
  if (rule === 401) return unauthorized()
  if (rule === 403) return forbidden()
  if (rule === 'header' && request.account === undefined) return forbidden()
  return actor
}

function authorizeKey(actor: Actor, key: ApiKey, operation: Operation): Actor | Outcome {
  const rule: KeyRule = rows[operation][6]
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
  if (actor.is_staff) return { account: named }
  if (named !== undefined && named !== actor.account) return notFound()
  return { account: actor.account }
}

/** For requests that need an account. The body is validated before the account is looked up. */
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

/** Ends all sessions of a person. */
export function endSessions(world: World, person: Person, but?: Session): void {
  for (const session of world.sessions) {
    if (session.person === person && session !== but) session.ended = true
  }
}
