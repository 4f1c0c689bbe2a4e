// The schema of GET /v1/health.

import { Type } from 'typebox'
import { nullable, oneOf, timeOf } from './resources.ts'

const number = (description: string, example: number) =>
  Type.Number({ description, examples: [example] })

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const numberOrNull = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })

const setting = () =>
  Type.String({ description: 'The value of the setting: on is recommended.', examples: ['on'] })

const lane = Type.Object({
  waiting: count('Waiting changes.', 0),
  batch_size: numberOrNull('Mean changes per database transaction, or null without any.', 1.5),
})

const point = Type.Object({
  at: timeOf('The end of the ten-second interval.'),
  requests_per_s: Type.Object({
    '2xx': number('Successful responses.', 12.4),
    '3xx': number('Redirects.', 0),
    '4xx': number('Client errors.', 0.3),
    '5xx': number('Server errors.', 0),
  }),
  latency_ms: Type.Object({
    p50: numberOrNull('The median latency, or null without requests.', 1.8),
    p99: numberOrNull('The 99th percentile latency, or null without requests.', 9.2),
  }),
  lanes: Type.Object({ transactions: lane, payments: lane, subscriptions: lane }),
  pool: Type.Object({
    busy: count('Connections in use.', 2),
    idle: count('Idle connections.', 8),
    waiting: count('Requests waiting for a connection.', 0),
  }),
  event_loop_delay_ms: Type.Object({
    p50: number('The median event loop delay.', 20.1),
    p99: number('The 99th percentile event loop delay.', 21.3),
  }),
  rss_bytes: count('The resident memory of the process.', 134_217_728),
})

const queue = (what: string) =>
  Type.Object({
    waiting: count(`Waiting ${what}; 1000 means 1000 or more.`, 0),
    due: count('The number of those that are due now.', 0),
  })

export const healthComponents = {
  Health: Type.Object(
    {
      server: Type.Object({
        version: Type.String({ description: 'The version of Florin.', examples: ['0.2.0'] }),
        mode: oneOf(['sandbox', 'live'], { description: 'The mode of the server.' }),
        sends_email: Type.Boolean({
          description: 'Whether an SMTP server is configured. Without one, no email is sent.',
          examples: [true],
        }),
        admins_without_factor: count(
          'Admins without a second factor. Always 0 in sandbox mode, which requires none.',
          0,
        ),
        started_at: timeOf('When this process started.'),
        history: Type.Array(point, {
          description: 'The last hour of this process, one point per ten seconds, oldest first.',
        }),
      }),
      database: Type.Object({
        version: Type.String({ description: 'The version of PostgreSQL.', examples: ['18.4'] }),
        size_bytes: count('The size of the database on disk.', 52_428_800),
        connections: Type.Object({
          active: count('Connections that run a statement, including this one.', 1),
          idle: count('Idle connections.', 9),
          in_transaction: count('Connections idle in a database transaction.', 0),
          max: count('The maximum number of connections.', 100),
        }),
        settings: Type.Object({
          fsync: setting(),
          full_page_writes: setting(),
          synchronous_commit: setting(),
          data_checksums: setting(),
        }),
        oldest_transaction_s: numberOrNull(
          'The age of the oldest open database transaction in seconds, or null.',
          null,
        ),
      }),
      worker: Type.Object({
        running: Type.Boolean({ description: 'Whether a worker is running.', examples: [true] }),
        last_seen_at: nullable({
          format: 'date-time',
          description: 'When a worker last renewed a lease, or null if none ever ran.',
          examples: ['2026-11-15T09:30:00.000Z'],
        }),
        jobs: Type.Array(
          Type.Object({
            name: Type.String({ description: 'The name of the job.', examples: ['settle_due'] }),
            slots_held: count('The number of slots that workers hold.', 16),
            last_seen_at: timeOf('When a lease was last renewed.'),
          }),
        ),
        transactions_due: count('Transactions due for settlement.', 0),
        payments_due: count('Payment requests due for a reminder or for expiry.', 0),
        subscriptions_due: count('Subscriptions due for their next payment request.', 0),
        emails: queue('emails'),
        webhooks: queue('deliveries'),
        provider_events: queue('messages of payment providers'),
        closings: Type.Object({
          open: count('Closed accounts whose leftover rows are still being canceled.', 0),
          oldest_s: numberOrNull('The age of the oldest one; null if there are none.', null),
          stalled: count('Closings without progress for ten minutes.', 0),
        }),
      }),
    },
    { $id: 'Health' },
  ),
}
