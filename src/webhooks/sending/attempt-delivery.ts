// One attempt of one delivery. A 2xx response is a success, 410 disables the endpoint, and
// everything else, including redirects, is retried.

import { toTypeId } from '../../primitives/ids.ts'
import type { Tracer } from '../../tracing/tracer.ts'
import { type EndpointRow, secretsOf } from '../endpoint.ts'
import { delivery_retries } from '../outbox.ts'
import { signedHeaders } from '../sign.ts'
import type { EndpointQueue, QueuedDelivery } from './endpoint-queue.ts'
import type { DeliveryAttempt } from './record-attempts.ts'
import type { ResponseQuota } from './response-quota.ts'
import { startDeliverySpan } from './trace-delivery.ts'
import { DeliveryError, type ReceiverResponse, type WebhookClient } from './webhook-client.ts'

interface DeliveryParts {
  webhookClient: WebhookClient
  quota: ResponseQuota
  /** Undefined unless traces are recorded. */
  tracer?: Tracer | undefined
}

export async function attemptDelivery(
  { webhookClient, quota, tracer }: DeliveryParts,
  // The row as it is now: the queue may get another URL while the request is in flight.
  { endpoint }: EndpointQueue,
  one: QueuedDelivery,
): Promise<DeliveryAttempt> {
  const attempted_at = new Date()
  const started_ms = performance.now()
  const span = tracer && startDeliverySpan(tracer, endpoint, one.delivery)
  const trace_headers = span && { traceparent: span.traceparent }
  const response = await send(webhookClient, endpoint, one, attempted_at, trace_headers)
  span?.end(response)
  const duration_ms = Math.round(performance.now() - started_ms)
  const has_response = typeof response !== 'string'
  const response_body = has_response
    ? quota.bodyToStore(one.delivery.account_id, response.body)
    : null
  return attemptOf(endpoint, one, response, { attempted_at, duration_ms, response_body })
}

type AttemptFacts = Pick<DeliveryAttempt, 'attempted_at' | 'duration_ms' | 'response_body'>

/** What to record about an attempt with this response or error message. */
export function attemptOf(
  endpoint: EndpointRow,
  { delivery, body, lease_id }: Omit<QueuedDelivery, 'start_by_ms'>,
  response: Pick<ReceiverResponse, 'status'> | string,
  facts: AttemptFacts,
): DeliveryAttempt {
  const { account_id, id, endpoint_id, attempts, attempted_at } = delivery
  const has_response = typeof response !== 'string'
  return {
    account_id,
    id,
    endpoint_id,
    lease_id,
    ...outcomeOf(has_response && isSuccess(response), body === undefined ? undefined : attempts),
    ...facts,
    url: endpoint.url,
    response_status: has_response ? response.status : null,
    error: has_response ? errorFor(response) : response,
    was_failing: endpoint.failing_since !== null,
    has_earlier_attempt: attempted_at !== null,
    is_last_attempt: attempts >= delivery_retries.attempts_max,
    is_gone: has_response && response.status === 410,
  }
}

/** Returns the response, or an error message. */
async function send(
  webhookClient: WebhookClient,
  endpoint: EndpointRow,
  { delivery, body }: QueuedDelivery,
  at: Date,
  trace_headers: { traceparent: string } | undefined,
): Promise<ReceiverResponse | string> {
  if (body === undefined) return 'The event has been deleted.'
  const message = { id: toTypeId('event', delivery.event_id), body }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Florin-Webhooks/1',
    ...signedHeaders(message, at, secretsOf(endpoint, at)),
    ...trace_headers,
  }
  try {
    return await webhookClient.post({ url: endpoint.url, headers, body })
  } catch (error) {
    if (error instanceof DeliveryError) return error.message
    throw error
  }
}

function isSuccess({ status }: Pick<ReceiverResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** `attempts` is the number made so far; undefined prevents a retry. */
function outcomeOf(
  succeeded: boolean,
  attempts: number | undefined,
): { status: DeliveryAttempt['status']; wait_ms: number | null } {
  if (succeeded) return { status: 'succeeded', wait_ms: null }
  const wait_ms = attempts === undefined ? undefined : delivery_retries.waitAfter(attempts)
  if (wait_ms === undefined) return { status: 'failed', wait_ms: null }
  return { status: 'pending', wait_ms }
}

function errorFor(response: Pick<ReceiverResponse, 'status'>): string | null {
  if (isSuccess(response)) return null
  const { status } = response
  if (status >= 300 && status < 400)
    return `The endpoint returned a redirect (${status}), which is not followed.`
  return `The endpoint returned ${status}.`
}
