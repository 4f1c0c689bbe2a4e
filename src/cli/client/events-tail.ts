// florin events tail: prints an account's events as they occur.

import type { FlorinEvent, ListEventsQuery } from '../../../client/src/florin.ts'
import { readTypeFilter } from '../../events/event-types.ts'
import { validateOption } from '../failures.ts'
import { accent, faint, print, printable, printJson, timeOfDay } from '../terminal.ts'
import { type ApiOptions, withLogin } from './api.ts'
import { followEvents, newestSequence, page_max, takeLatest, untilStopped } from './tail.ts'

export interface EventsTailCommand extends ApiOptions {
  type?: ListEventsQuery['type']
  /** Number of recent events to show first. */
  last: number
  follow: boolean
}

export async function tailEvents(options: EventsTailCommand): Promise<void> {
  const { type, last } = options
  validateOption(() => readTypeFilter(type))
  const show = (event: FlorinEvent) => {
    if (options.json) printJson(event)
    else print(toLine(event))
  }
  await withLogin(options, async (florin, { url }) => {
    // Without the type filter: following starts after the newest event of any type.
    const after = await newestSequence(florin)
    if (last > 0) {
      const limit = Math.min(last, page_max)
      const latest = await takeLatest(florin.events.list({ type, limit }), last)
      const known = latest.filter(({ sequence }) => sequence <= after)
      for (const event of known.reverse()) show(event)
    }
    if (!options.follow) return
    await untilStopped((signal) =>
      followEvents(florin, { after, type }, { ...options, url, signal }, show),
    )
  })
}

function toLine({ created_at, type, sequence, data }: FlorinEvent): string {
  const number = faint(`#${sequence}`)
  const what = accent(printable(type).padEnd(24))
  return `${faint(timeOfDay(new Date(created_at)))} ${what} ${printable(data.id)} ${number}\n`
}
