// florin events tail: prints an account's events as they occur.

import { readTypeFilter } from '../../events/event-types.ts'
import { validateOption } from '../failures.ts'
import { listenForStop } from '../stop-signals.ts'
import { accent, faint, print, printable, printJson, timeOfDay } from '../terminal.ts'
import { type ApiOptions, openLoggedIn } from './api.ts'
import { followEvents, newestSequence, type ShownEvent, warnOnDisconnect } from './follow-events.ts'
import { listLatest } from './list-latest.ts'

export interface EventsTailCommand extends ApiOptions {
  type?: string
  /** Number of recent events to show first. */
  last: number
  follow: boolean
}

export async function tailEvents(options: EventsTailCommand): Promise<void> {
  const types = validateOption(() => readTypeFilter(options.type))
  const show = (event: ShownEvent) => {
    if (types !== undefined && !types.includes(event.type)) return
    if (options.json) printJson(event)
    else print(toLine(event))
  }
  const { api } = await openLoggedIn(options)
  const type = options.type === undefined ? '' : `&type=${encodeURIComponent(options.type)}`
  // Without the type filter: following starts after the newest event of any type.
  const newest = await newestSequence(api)
  if (options.last > 0) {
    const latest = await listLatest<ShownEvent>(api, '/v1/events', type, options.last)
    const known = latest.filter(({ sequence }) => sequence <= newest)
    for (const event of known.reverse()) show(event)
  }
  if (!options.follow) return
  const stop = listenForStop()
  const start = { after: newest, signal: stop.signal }
  for await (const event of followEvents(api, { ...start, ...warnOnDisconnect(options) }))
    show(event)
  stop.release()
}

function toLine({ created_at, type, sequence, data }: ShownEvent): string {
  const id = typeof data.id === 'string' ? data.id : ''
  const number = faint(`#${sequence}`)
  const what = accent(printable(type).padEnd(24))
  return `${faint(timeOfDay(new Date(created_at)))} ${what} ${printable(id)} ${number}\n`
}
