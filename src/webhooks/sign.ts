// Standard Webhooks: the headers of one try. The id is the event's, the same on each try and at
// each endpoint, so that a receiver knows what it has seen; the time is that of the try.

import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

// The most that the specification allows is 64 bytes, the least 24.
const secret_bytes = 32

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secret_bytes).toString('base64')}`
}

export interface SignedHeaders {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export function signedHeaders(
  message: { id: string; body: string },
  at: Date,
  secrets: string[],
): SignedHeaders {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(message.id, at, message.body))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
