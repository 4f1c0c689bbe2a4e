// Follows an account's event stream, and resumes after the last event when the connection breaks.

import { setTimeout as sleep } from 'node:timers/promises'
import { ApiFailure, ServerUnreachable } from '../failures.ts'
import { warnUser } from '../terminal.ts'
import type { Api } from './api.ts'

export interface ShownEvent {
  id: string
  type: string
  account_id: string
  sequence: number
  created_at: string
  data: Record<string, unknown>
}

export interface FollowOptions {
  /** Sequence number of the last known event. */
  after: number
  signal: AbortSignal
  onDisconnect(reason: string): void
  /** The account is closed, so the stream ends. */
  onClosed(): void
}

/**
 * Sequence numbers have no gaps, so resuming after the last one loses no event. Ends when the
 * account closes: after account.closed, or on a 204 if that event was already received.
 */
export async function* followEvents(
  api: Api,
  { after, signal, onDisconnect, onClosed }: FollowOptions,
): AsyncGenerator<ShownEvent> {
  let last = after
  let was_open = false
  for (;;) {
    if (signal.aborted) return
    try {
      const path = `/v1/events/stream?after=${last}`
      const response = await api.send('GET', path, { signal })
      if (response.status === 204) return onClosed()
      was_open = true
      for await (const event of readEvents(response)) {
        last = event.sequence
        yield event
        if (event.type === 'account.closed') return onClosed()
      }
    } catch (error) {
      if (signal.aborted) return
      // Retries only after the stream has been open once; otherwise the first error is final.
      if (!was_open || !isTransient(error)) throw error
      onDisconnect((error as Error).message)
    }
    await sleep(retry_ms, undefined, { signal }).catch(() => {})
  }
}

/** Warnings on stderr for commands that follow events. */
export function warnOnDisconnect(options: {
  json?: true
}): Pick<FollowOptions, 'onDisconnect' | 'onClosed'> {
  return {
    onDisconnect: (reason) => warnUser('connection_lost', `${reason} Reconnecting.`, options),
    onClosed: () =>
      warnUser('account_closed', 'The account is closed. There will be no more events.', options),
  }
}

// Equals the retry field of the stream.
const retry_ms = 1_000

export async function newestSequence(api: Api): Promise<number> {
  const { data } = await api.request('GET', '/v1/events?limit=1')
  return data[0]?.sequence ?? 0
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiFailure) {
    const status = error.failure.status ?? 0
    return status === 429 || status >= 500
  }
  // fetch throws a TypeError when the connection breaks while the body is read.
  return error instanceof ServerUnreachable || error instanceof TypeError
}

const data_field = 'data: '

async function* readEvents(response: Response): AsyncGenerator<ShownEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      // Not a regular expression: its dot does not match U+2028, which JSON may contain.
      const data = text
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith(data_field))
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data.slice(data_field.length))
    }
  }
}
