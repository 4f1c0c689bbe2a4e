// One try of one delivery: signed, sent, judged. 2xx is a success; 410 says that the receiver is
// gone for good; all else, redirects too, is tried again later.

import { toTypeId } from '../../primitives/ids.ts'
import { secretsOf } from '../endpoint.ts'
import { attempts_max, waitAfter } from '../retry-schedule.ts'
import { signedHeaders } from '../sign.ts'
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'
import type { DeliveryAttempt } from './record-attempts.ts'
import type { ResponseQuota } from './response-quota.ts'
import { DeliveryError, type ReceiverResponse, type WebhookClient } from './webhook-client.ts'

export interface DeliveryParts {
  webhookClient: WebhookClient
  quota: ResponseQuota
}

export async function attemptDelivery(
  { webhookClient, quota }: DeliveryParts,
  queue: EndpointQueue,
  one: QueuedDelivery,
): Promise<DeliveryAttempt> {
  const { endpoint } = queue
  const attempted_at = new Date()
  const began_ms = performance.now()
  const answer = await send(webhookClient, queue, one, attempted_at)
  const { account_id, id, endpoint_id, attempts } = one.delivery
  const has_answer = typeof answer !== 'string'
  return {
    account_id,
    id,
    endpoint_id,
    lease_id: one.lease_id,
    ...verdict(has_answer && isSuccess(answer), one.body === undefined ? undefined : attempts),
    attempted_at,
    url: endpoint.url,
    duration_ms: Math.round(performance.now() - began_ms),
    response_status: has_answer ? answer.status : null,
    response_body: has_answer ? quota.bodyToStore(account_id, answer.body) : null,
    error: has_answer ? wordsFor(answer) : answer,
    was_failing: endpoint.failing_since !== null,
    has_earlier_attempt: one.delivery.attempted_at !== null,
    is_last_attempt: attempts >= attempts_max,
    is_gone: has_answer && answer.status === 410,
  }
}

/** The answer, or why there is none. */
async function send(
  webhookClient: WebhookClient,
  { endpoint }: EndpointQueue,
  { delivery, body }: QueuedDelivery,
  at: Date,
): Promise<ReceiverResponse | string> {
  if (body === undefined) return 'The event is no longer kept.'
  const message = { id: toTypeId('event', delivery.event_id), body }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Florin-Webhooks/1',
    ...signedHeaders(message, at, secretsOf(endpoint, at)),
  }
  try {
    return await webhookClient.post({ url: endpoint.url, headers, body })
  } catch (error) {
    if (error instanceof DeliveryError) return error.message
    throw error
  }
}

function isSuccess({ status }: ReceiverResponse): boolean {
  return status >= 200 && status < 300
}

/** `attempts` are those made so far; undefined when there shall be no further one. */
function verdict(
  succeeded: boolean,
  attempts: number | undefined,
): { status: DeliveryAttempt['status']; wait_ms: number | null } {
  if (succeeded) return { status: 'succeeded', wait_ms: null }
  const wait_ms = attempts === undefined ? undefined : waitAfter(attempts, Math.random())
  if (wait_ms === undefined) return { status: 'failed', wait_ms: null }
  return { status: 'pending', wait_ms }
}

function wordsFor(answer: ReceiverResponse): string | null {
  if (isSuccess(answer)) return null
  const { status } = answer
  if (status >= 300 && status < 400) return `The receiver redirected (${status}); not followed.`
  return `The receiver answered ${status}.`
}
