// The real server, and requests to it on behalf of the model's callers.

import { newSecret } from '../../../src/primitives/secrets.ts'
import type { ApiResponse } from '../../support/call.ts'
import type { Florin } from '../../support/florin.ts'
import { user_agent } from '../steps/people.ts'
import { plain, unify } from '../unify.ts'
import type { Caller, ModelRequest, Outcome, Session, World } from '../world.ts'

export interface Server {
  florin: Florin
  /** An admin outside of all sequences, used to read everything back. */
  root: Session
  /** How often each step had each outcome. */
  outcome_counts: Map<string, number>
}

const unknown_id = '01h455vb4pex5vsknk084sn02q'

export function send(
  { florin }: Server,
  world: World,
  request: ModelRequest,
): Promise<ApiResponse> {
  const { account } = request
  const headers: Record<string, string> = {
    'x-forwarded-for': world.address,
    'user-agent': user_agent,
  }
  if (account !== undefined) {
    headers['florin-account'] = account === 'unknown' ? `acct_${unknown_id}` : account.id.known
  }
  if (request.key !== undefined) headers['idempotency-key'] = request.key
  const token = tokenOf(request.caller, world.turn)
  return florin.call(request.method, request.path, { token, headers, body: request.body })
}

/** Any of a session's access tokens: earlier ones stay valid until they expire. */
function tokenOf(caller: Caller, turn: number): string | undefined {
  if (caller === 'anonymous') return undefined
  if (caller === 'invalid_token') return newSecret('fat_')
  if ('key' in caller) return caller.key.key.known
  const { access } = caller.session
  return access[turn % access.length]!.known
}

/** Sends a request and compares status and error code, then the whole body. */
export async function expect(
  server: Server,
  world: World,
  name: string,
  request: ModelRequest,
  outcome: Outcome,
): Promise<ApiResponse> {
  const response = await send(server, world, request)
  const expected = summaryOf(outcome.status, outcome.body)
  const actual = summaryOf(response.status, response.body)
  if (expected !== actual) {
    throw mismatch(world, name, request, `expected ${expected}, got ${actual}`, response)
  }
  const fault = unify(outcome.body, response.body)
  if (fault !== undefined) throw mismatch(world, name, request, fault, response)
  const about = `${name}: ${actual}`
  server.outcome_counts.set(about, (server.outcome_counts.get(about) ?? 0) + 1)
  return response
}

function summaryOf(status: number, body: unknown): string {
  const { error } = (body ?? {}) as { error?: string }
  return status < 400 ? String(status) : `${status} ${error}`
}

function mismatch(
  world: World,
  name: string,
  request: ModelRequest,
  fault: string,
  response: ApiResponse,
): Error {
  const { method, path, account, body } = request
  const header =
    account === undefined ? '' : ` on ${account === 'unknown' ? account : account.name}`
  return new Error(
    `turn ${world.turn}, ${name} by ${describe(request.caller)}${header}: ${fault}\n` +
      `  ${method} ${path} ${plain(body ?? {})}\n  ${response.status} ${response.text}`,
  )
}

function describe(caller: Caller): string {
  if (typeof caller === 'string') return caller
  if ('key' in caller) return `a key (${caller.key.scopes})`
  const { person, ended } = caller.session
  return `${ended ? 'the ended session of ' : ''}a ${person.status} ${person.role}, ${person.email}`
}
