// No webhook without its change: what was told outside is an event that was committed, of an object
// that is there, in the very status that was told.

import type { History, Webhook } from '../history.ts'

export function webhooksMatchEvents({ webhooks, final }: History): string[] {
  const events = new Map(final.events.map((event) => [event.id, event]))
  const rows = new Map([...final.transactions, ...final.payments].map((row) => [row.id, row]))
  const check = (told: Webhook): string[] => {
    const event = events.get(told.event)
    const what = `webhook ${told.type} of ${told.object}`
    if (event === undefined) return [`${what} tells of event ${told.event}, which never happened`]
    const same =
      event.type === told.type &&
      event.account === told.account &&
      event.sequence === told.sequence &&
      event.object === told.object
    if (!same) return [`${what} is not the event ${told.event}`]
    const row = rows.get(told.object)
    if (row === undefined) return [`${what} tells of something that is not there`]
    return told.status === 'pending' || told.status === row.status
      ? []
      : [`${what} says ${told.status}, and it is ${row.status}`]
  }
  return webhooks.flatMap(check)
}
