// Reads new events and matches each with the expected ones. Events of one turn may come in any
// order; the model then adopts the server's order.

import { showEvent } from '../events.ts'
import { plain, unify } from '../unify.ts'
import type { Account, World } from '../world.ts'
import { type Server, send } from './server.ts'

/** How many events of an account have been matched. All their placeholders have values. */
const followed = new WeakMap<Account, number>()

export async function followEvents(server: Server, world: World, account: Account): Promise<void> {
  for (let more = true; more; ) {
    const seen = followed.get(account) ?? 0
    const path = `/v1/events?limit=100&after=${seen}`
    const { body, text } = await send(server, world, {
      method: 'GET',
      path,
      caller: { session: server.root },
      account,
    })
    if (!Array.isArray(body?.data)) throw new Error(`failed to read events: ${text}`)
    for (const event of body.data) matchEvent(account, event)
    more = body.has_more
  }
  const [found, expected] = [followed.get(account) ?? 0, account.events.length]
  if (found === expected) return
  const missing = account.events.slice(found).map(({ type, data }) => `${type} ${plain(data)}`)
  throw new Error(`turn ${world.turn}: events are missing:\n  ${missing.join('\n  ')}`)
}

function matchEvent(account: Account, event: { created_at: string; type: string }): void {
  const { events } = account
  const at = followed.get(account) ?? 0
  const before = events[at - 1]?.created_at.known ?? ''
  if (event.created_at < before) throw new Error(`time went back with event ${plain(event)}`)
  const faults: string[] = []
  for (let other = at; other < events.length && events[other]!.turn === events[at]!.turn; other++) {
    const fault = unify(showEvent(account, events[other]!, at + 1), event)
    if (fault === undefined) {
      events.splice(at, 0, ...events.splice(other, 1))
      followed.set(account, at + 1)
      return
    }
    faults.push(`${events[other]!.type}: ${fault}`)
  }
  throw new Error(`unexpected event ${plain(event)}\n  ${faults.join('\n  ')}`)
}

/** Some ids and times are not in responses. Events provide them. */
export async function resolveFromEvents(server: Server, world: World): Promise<void> {
  const rows = [...world.payments, ...world.transactions, ...world.people]
  const unknown = rows.filter(({ id, updated_at }) => !(id.value && updated_at.value))
  for (const account of new Set(unknown.map((row) => row.account))) {
    if (account !== undefined) await followEvents(server, world, account)
  }
}
