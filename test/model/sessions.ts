// Sessions: refresh tokens work once, and reusing one ends the session.

import { type ListInput, page } from './lists.ts'
import { authorize } from './permissions.ts'
import { anyText, Placeholder } from './unify.ts'
import type { ModelRequest, Outcome, Person, Session, World } from './world.ts'
import { refuse, time, unauthorized } from './world.ts'

const max_failures = 10

export function openSession(world: World, person: Person, user_agent: string): Session {
  const session: Session = {
    id: new Placeholder('ses'),
    turn: world.turn,
    person,
    access: [new Placeholder('access_token')],
    refresh: new Placeholder('refresh_token'),
    used: [],
    ended: false,
    user_agent,
    created_at: time(),
    refreshed_at: time(),
    expires_at: time(),
  }
  world.sessions.push(session)
  return session
}

function showTokens(session: Session) {
  return {
    access_token: session.access.at(-1),
    refresh_token: session.refresh,
    token_type: 'Bearer',
    expires_in: 3_600,
    session_id: session.id,
  }
}

/** `person` is undefined if no user has the email. */
export function logIn(
  world: World,
  person: Person | undefined,
  is_password_correct: boolean,
  user_agent: string,
): Outcome {
  if (person !== undefined && person.failures >= max_failures) return refuse(429, 'rate_limited')
  if (person === undefined || person.deleted || !is_password_correct) {
    if (person !== undefined) person.failures += 1
    return refuse(401, 'invalid_credentials')
  }
  if (person.status !== 'active') return unauthorized()
  person.failures = 0
  const session = openSession(world, person, user_agent)
  const { id, email, name } = person
  return { status: 200, body: { ...showTokens(session), user: { id, email, name } } }
}

/** The token is the session's current or a used one. */
export function refresh(session: Session | undefined, token: 'current' | 'used'): Outcome {
  if (session === undefined || session.ended) return refuse(401, 'invalid_grant')
  if (token === 'used') {
    if (session.used.length > 0) session.ended = true
    return refuse(401, 'invalid_grant')
  }
  session.used.push(session.refresh)
  session.refresh = new Placeholder('refresh_token')
  session.access.push(new Placeholder('access_token'))
  session.refreshed_at = time()
  return { status: 200, body: showTokens(session) }
}

export function endSession(request: ModelRequest, which: Session | 'current' | 'unknown'): Outcome {
  const actor = authorize(request, 'use sessions')
  if ('status' in actor) return actor
  const session = which === 'current' ? actor.session : which
  if (session === undefined || session === 'unknown') return refuse(404, 'invalid_session')
  if (session.ended || session.person !== actor.person) return refuse(404, 'invalid_session')
  session.ended = true
  return { status: 200, body: { message: anyText, session_id: session.id } }
}

export function listSessions(
  world: World,
  request: ModelRequest,
  input: ListInput<Session>,
): Outcome {
  const actor = authorize(request, 'use sessions')
  if ('status' in actor) return actor
  const own = world.sessions.filter(({ person, ended }) => person === actor.person && !ended)
  return page(own, input, (session) => ({
    id: session.id,
    current: session === actor.session,
    address: world.address,
    user_agent: session.user_agent,
    created_at: session.created_at,
    refreshed_at: session.refreshed_at,
    expires_at: session.expires_at,
  }))
}
