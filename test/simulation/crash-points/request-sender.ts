// Sends the request of a recipe to a server.

import { randomUUID } from 'node:crypto'
import type { WriteOperation } from './operations.ts'
import type { PreparedRequest } from './recipe.ts'
import { type Reply, sendOnce } from './send-once.ts'

/** Returns a function that sends the same request each time, with the same key. */
export function requestSender(
  origin: string,
  operation: WriteOperation,
  prepared: PreparedRequest,
) {
  const { token, account_id, body, params = {}, query = '' } = prepared
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
  const headers = {
    ...prepared.headers,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(account_id && { 'florin-account': account_id }),
    ...(operation.takes_idempotency_key && { 'idempotency-key': randomUUID() }),
  }
  return (more: Record<string, string> = {}): Promise<Reply | undefined> =>
    sendOnce({
      method: operation.method,
      url: origin + path + query,
      headers: { ...headers, ...more },
      body,
    })
}
