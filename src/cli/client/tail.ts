// What `florin listen` and the tail commands share: the latest entries, and the event stream.

import type {
  CursorPage,
  Florin,
  FlorinError,
  FlorinEvent,
  StreamEventsQuery,
} from '../../../client/src/florin.ts'
import { listenForStop } from '../stop-signals.ts'
import { warnUser } from '../terminal.ts'
import { explainError } from './explain-error.ts'

interface FollowOptions {
  /** Of the server, for messages. */
  url: string
  json?: true
}

/** The API returns at most 100 entries per page. */
export const page_max = 100

/** Reads pages until there are `count` entries; fewer if the list is shorter. Newest first. */
export async function takeLatest<Item extends object>(
  first: PromiseLike<CursorPage<Item>>,
  count: number,
): Promise<Item[]> {
  const found: Item[] = []
  let page: CursorPage<Item> | undefined = await first
  while (page !== undefined) {
    found.push(...page.data)
    page = found.length < count ? await page.nextPage() : undefined
  }
  return found.slice(0, count)
}

/** The sequence number of the newest event; 0 without events. */
export async function newestSequence(florin: Florin): Promise<number> {
  return (await florin.events.list({ limit: 1 })).data[0]?.sequence ?? 0
}

/** Passes each event to `work`, until the account closes or the signal aborts. */
export async function followEvents(
  florin: Florin,
  query: { after: number; type?: StreamEventsQuery['type'] },
  options: FollowOptions & { signal: AbortSignal },
  work: (event: FlorinEvent) => void | Promise<void>,
): Promise<void> {
  const { signal } = options
  const stream = florin.events.stream(query, { signal, ...warnOnRetry(options) })
  for await (const event of stream) await work(event)
  warnUser('account_closed', 'The account is closed. There will be no more events.', options)
}

/** Runs `work` until SIGINT or SIGTERM aborts its signal. */
export async function untilStopped(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = listenForStop()
  try {
    await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    stop.release()
  }
}

export function warnOnRetry(options: FollowOptions): { onRetry(error: FlorinError): void } {
  const warn = (message: string) => warnUser('connection_lost', `${message} Reconnecting.`, options)
  return { onRetry: (error) => warn(explainError(error, options.url).message) }
}
