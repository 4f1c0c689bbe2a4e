// The shape of GET /v1/health.

import { nullable, oneOf, timeOf } from './schemas.ts'
import { Type } from './type.ts'

const number = (description: string, example: number) =>
  Type.Number({ description, examples: [example] })

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const numberOrNull = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })

const setting = () => Type.String({ description: 'on, or what else it is.', examples: ['on'] })

const lane = Type.Object({
  waiting: count('Changes that wait.', 0),
  batch_size: numberOrNull('Changes in one database transaction; null when there were none.', 1.5),
})

const point = Type.Object({
  at: timeOf('The end of these ten seconds.'),
  requests_per_s: Type.Object({
    '2xx': number('Answered well.', 12.4),
    '3xx': number('Sent elsewhere.', 0),
    '4xx': number('Refused.', 0.3),
    '5xx': number('Failed.', 0),
  }),
  latency_ms: Type.Object({
    p50: numberOrNull('Half of the requests took at most this; null when there were none.', 1.8),
    p99: numberOrNull('All but one in a hundred took at most this.', 9.2),
  }),
  lanes: Type.Object({ transactions: lane, payments: lane, subscriptions: lane }),
  pool: Type.Object({
    busy: count('Connections in use.', 2),
    idle: count('Connections at rest.', 8),
    waiting: count('Requests that wait for one.', 0),
  }),
  event_loop_delay_ms: Type.Object({
    p50: number('How late timers were, half of the time.', 20.1),
    p99: number('How late timers were, but for one in a hundred.', 21.3),
  }),
  rss_bytes: count('Memory of the process.', 134_217_728),
})

const queue = (what: string) =>
  Type.Object({
    waiting: count(`${what} that wait; 1000 means that many or more.`, 0),
    due: count('Those of them whose time has come.', 0),
  })

export const healthComponents = {
  Health: Type.Object(
    {
      server: Type.Object({
        version: Type.String({ description: 'The version of Florin.', examples: ['0.1.0'] }),
        mode: oneOf(['sandbox', 'live'], { description: 'The mode it runs in.' }),
        sends_email: Type.Boolean({
          description: 'Whether an SMTP server is set. Without one no email leaves the server.',
          examples: [true],
        }),
        started_at: timeOf('When this process started.'),
        history: Type.Array(point, {
          description:
            'Of this process: one point for each ten seconds of the last hour, oldest first.',
        }),
      }),
      database: Type.Object({
        version: Type.String({ description: 'The version of PostgreSQL.', examples: ['18.4'] }),
        size_bytes: count('What the database takes on the disc.', 52_428_800),
        connections: Type.Object({
          active: count('Those that run a statement, this one included.', 1),
          idle: count('Those at rest.', 9),
          in_transaction: count('Those at rest inside a database transaction.', 0),
          max: count('How many the server takes.', 100),
        }),
        settings: Type.Object({
          fsync: setting(),
          full_page_writes: setting(),
          synchronous_commit: setting(),
          data_checksums: setting(),
        }),
        oldest_transaction_s: numberOrNull(
          'Since when the oldest database transaction is open; null when none is.',
          null,
        ),
      }),
      worker: Type.Object({
        running: Type.Boolean({ description: 'Whether anybody does it.', examples: [true] }),
        last_seen_at: nullable({
          format: 'date-time',
          description: 'When a worker last renewed a lease; null if there never was one.',
          examples: ['2026-11-15T09:30:00.000Z'],
        }),
        jobs: Type.Array(
          Type.Object({
            name: Type.String({ description: 'The job.', examples: ['settle_due'] }),
            slots_held: count('How many of its parts somebody does.', 16),
            last_seen_at: timeOf('When that was last renewed.'),
          }),
        ),
        transactions_due: count('Transactions that should have settled by now.', 0),
        payments_due: count('Payment requests to remind of or to cancel.', 0),
        subscriptions_due: count('Subscriptions to ask for.', 0),
        emails: queue('Emails'),
        webhooks: queue('Deliveries'),
        closings: Type.Object({
          open: count('Closed accounts whose leftover rows are still being canceled.', 0),
          oldest_s: numberOrNull('For how long the oldest has been; null when none is.', null),
          stalled: count('Those of them without progress for ten minutes.', 0),
        }),
      }),
    },
    { $id: 'Health' },
  ),
}
