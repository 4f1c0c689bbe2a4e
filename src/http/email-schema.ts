// What a list shows of an email.

import { id, nullable, oneOf, time } from './schema-parts.ts'
import { Type } from './type.ts'

export const listedEmail = {
  id: id('eml', 'The id of the email.'),
  account_id: id('acct', 'The account it is written for.'),
  kind: oneOf(
    [
      'payment_request',
      'payment_reminder',
      'payment_receipt',
      'payment_refund',
      'email_verification',
      'email_change_notice',
      'webhook_disabled',
    ],
    { description: 'What it is about.' },
  ),
  state: oneOf(['queued', 'sent', 'failed', 'suppressed', 'stored'], {
    description:
      'queued waits for the mail server, which took a sent one and refused a failed one for ' +
      'good. suppressed was over a limit, or asked for what had been paid or called off. stored: ' +
      'no mail server is set, and nothing leaves.',
    examples: ['stored'],
  }),
  to: Type.String({ description: 'The recipient.', examples: ['ann@example.com'] }),
  subject: Type.String({ description: 'The subject.', examples: ['Receipt: $75.00 to Acme Ltd'] }),
  cause: Type.String({
    description: 'What it was written for. The same cause never writes twice.',
    examples: ['payment_receipt pay_01h455vb4pex5vsknk084sn02q'],
  }),
  attempts: Type.Integer({ description: 'How often it was tried.', examples: [0] }),
  created_at: time('When it was written.'),
  sent_at: nullable({
    format: 'date-time',
    description: 'When the mail server took it, or null.',
    examples: [null],
  }),
  error: nullable({
    description: 'What the mail server or the limit said last, or null.',
    examples: [null],
  }),
}
