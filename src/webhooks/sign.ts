// The Standard Webhooks headers of one attempt. The id is the event's, the same for every attempt
// and endpoint, so receivers can deduplicate. The timestamp is that of the attempt.

import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

// The specification allows 24 to 64 bytes.
const secret_bytes = 32

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(secret_bytes).toString('base64')}`
}

interface SignedHeaders {
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
