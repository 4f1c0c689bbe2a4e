// Every webhook has a committed event, of an object that exists, with a status that the object had.
// All deliveries of an event have its id as webhook-id and the same bytes, whichever process sent
// them, so a receiver can ignore the second. There is a second only after a fault.

import type { History, Webhook } from '../history.ts'

// The worker records a delivery within this time, unless a fault prevents it. Then the delivery is
// sent again when its lease expires.
const recorded_after_ms = 5_000

export function webhooksMatchEvents(history: History): string[] {
  return [...findMismatches(history), ...findNeedlessRepeats(history)]
}

function findNeedlessRepeats({ webhooks, faults }: History): string[] {
  const last_ms = new Map<string, number>()
  return webhooks.flatMap(({ event, at_ms }) => {
    const before_ms = last_ms.get(event)
    last_ms.set(event, at_ms)
    const is_justified =
      before_ms === undefined ||
      faults.some(
        ({ begun_ms, healed_ms }) =>
          before_ms > begun_ms - recorded_after_ms && before_ms < healed_ms,
      )
    return is_justified ? [] : [`event ${event} was delivered again although nothing had failed`]
  })
}

function findMismatches({ webhooks, final }: History): string[] {
  const events = new Map(final.events.map((event) => [event.id, event]))
  const rows = new Map([...final.transactions, ...final.payments].map((row) => [row.id, row]))
  const firsts = new Map(webhooks.toReversed().map((webhook) => [webhook.event, webhook]))
  const check = (webhook: Webhook): string[] => {
    const event = events.get(webhook.event)
    const what = `webhook ${webhook.type} of ${webhook.object}`
    if (event === undefined) return [`${what} has event ${webhook.event}, which does not exist`]
    const same =
      event.type === webhook.type &&
      event.account === webhook.account &&
      event.sequence === webhook.sequence &&
      event.object === webhook.object
    if (!same) return [`${what} differs from event ${webhook.event}`]
    if (webhook.webhook_id !== event.id) return [`${what} has webhook-id ${webhook.webhook_id}`]
    const first = firsts.get(event.id)!
    if (first.body_hash !== webhook.body_hash) return [`${what} was repeated with another body`]
    const row = rows.get(webhook.object)
    if (row === undefined) return [`${what} has an object that does not exist`]
    return webhook.status === 'pending' || webhook.status === row.status
      ? []
      : [`${what} has status ${webhook.status}, but the object is ${row.status}`]
  }
  return webhooks.flatMap(check)
}
