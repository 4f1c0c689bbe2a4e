// The fields of an email in lists.

import { Type } from 'typebox'
import { id, nullable, oneOf, time } from './parts.ts'

export const listedEmail = {
  id: id('eml', 'The id of the email.'),
  account_id: nullable({
    description:
      "The account that the email was sent for, or null for an email about a user's login.",
    examples: ['acct_01h455vb4pex5vsknk084sn02q'],
  }),
  kind: oneOf(
    [
      'payment_request',
      'payment_reminder',
      'payment_receipt',
      'payment_refund',
      'email_verification',
      'email_change_notice',
      'sign_up_verification',
      'sign_up_attempt',
      'password_reset',
      'password_changed',
      'invitation',
      'payment_received',
      'payment_failed',
      'new_login',
      'weekly_summary',
      'dispute_opened',
      'dispute_closed',
      'webhook_disabled',
      'payout_destination_changed',
    ],
    { description: 'The kind of email.' },
  ),
  state: oneOf(['queued', 'sent', 'failed', 'suppressed', 'stored'], {
    description:
      'queued: waiting for the mail server. sent: accepted by the mail server. failed: ' +
      'permanently rejected. suppressed: over a limit, or about a payment that was already paid ' +
      'or canceled. stored: no mail server is configured, so nothing is sent.',
    examples: ['stored'],
  }),
  to: Type.String({ description: 'The recipient.', examples: ['ann@example.com'] }),
  subject: Type.String({ description: 'The subject.', examples: ['Receipt: $75.00 to Acme Ltd'] }),
  cause: Type.String({
    description: 'What triggered the email. Each cause triggers at most one email.',
    examples: ['payment_receipt pay_01h455vb4pex5vsknk084sn02q'],
  }),
  attempts: Type.Integer({ description: 'The number of delivery attempts.', examples: [0] }),
  created_at: time('When the email was created.'),
  sent_at: nullable({
    format: 'date-time',
    description: 'When the mail server accepted the email, or null.',
    examples: [null],
  }),
  error: nullable({
    description: 'The last error of the mail server or the limit, or null.',
    examples: [null],
  }),
}
