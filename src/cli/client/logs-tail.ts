// florin logs tail: prints the API requests of an account as they are logged.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Florin, ListRequestLogsQuery, RequestLogEntry } from '../../../client/src/florin.ts'
import { accent, faint, print, printable, printJson, strong, timeOfDay } from '../terminal.ts'
import { type ApiOptions, withLogin } from './api.ts'
import { page_max, takeLatest, untilStopped, warnOnRetry } from './tail.ts'

export interface LogsTailCommand extends ApiOptions {
  status?: ListRequestLogsQuery['status']
  method?: string
  path?: string
  last: number
  follow: boolean
}

// The server writes its request log every half second.
const poll_ms = 1_000

export async function tailLogs(options: LogsTailCommand): Promise<void> {
  const { status, method, path, last } = options
  const filter = { status, method: method?.toUpperCase(), path } as ListRequestLogsQuery
  await withLogin(options, async (florin, { url }) => {
    const count = Math.max(last, 1)
    const page = florin.requestLogs.list({ ...filter, limit: Math.min(count, page_max) })
    const latest = await takeLatest(page, count)
    for (const entry of latest.slice(0, last).reverse()) show(entry, options)
    if (options.follow) await follow(florin, latest[0]?.id, filter, { ...options, url })
  })
}

/** Polls for new entries. A lost connection is retried until the command is stopped. */
async function follow(
  florin: Florin,
  newest: string | undefined,
  filter: ListRequestLogsQuery,
  options: LogsTailCommand & { url: string },
): Promise<void> {
  const retry = { retries_max: Number.POSITIVE_INFINITY, ...warnOnRetry(options) }
  let after = newest
  await untilStopped(async (signal) => {
    for (;;) {
      await sleep(poll_ms, undefined, { signal })
      const query = { ...filter, after, limit: page_max }
      const { data } = await florin.requestLogs.list(query, { signal, ...retry })
      // With `after`, the list is oldest first.
      const fresh = after === undefined ? data.toReversed() : data
      for (const entry of fresh) show(entry, options)
      after = fresh.at(-1)?.id ?? after
    }
  })
}

function show(entry: RequestLogEntry, { json }: LogsTailCommand): void {
  if (json) printJson(entry)
  else print(toLine(entry))
}

function toLine(entry: RequestLogEntry): string {
  const { created_at, method, path, status, duration_ms, error, id } = entry
  const at = faint(timeOfDay(new Date(created_at)))
  const colored_status = status < 400 ? accent(String(status)) : strong(String(status))
  const more = error === null ? '' : ` ${error}`
  const rest = faint(`${duration_ms} ms ${id}`)
  return `${at} ${method.padEnd(6)} ${colored_status} ${printable(path)}${more} ${rest}\n`
}
