// The state of the payment processors, for operators.

import type { Config } from '../../config.ts'
import type { Queryable } from '../../postgres/database.ts'
import { toIso } from '../../primitives/time.ts'
import { findProviderState, type ProviderState } from '../../processors/find-provider-state.ts'
import type { Processor } from '../../processors/processor.ts'
import { countPendingRefunds } from '../../transactions/submit-refunds.ts'

interface ProcessorReport {
  object: 'processor'
  mode: Config['mode']
  providers: ReturnType<typeof providerJson>[]
  /** Whether payment requests can be paid by transfer. */
  transfers: boolean
  late_payments: Config['late_payments']
  pending_refunds: number
}

// Bounds the cost of counting.
const refunds_max = 1_000

interface ProcessorParts {
  mode: Config['mode']
  processor: Processor
  late_payments: Config['late_payments']
}

export async function reportProcessor(
  db: Queryable,
  { mode, processor, late_payments }: ProcessorParts,
): Promise<ProcessorReport> {
  const { providers, takes_transfers: transfers } = processor
  const states = []
  for (const provider of providers) {
    states.push(providerJson(provider, await findProviderState(db, provider.name)))
  }
  const pending_refunds = await countPendingRefunds(db, refunds_max)
  return { object: 'processor', mode, providers: states, transfers, late_payments, pending_refunds }
}

function providerJson({ name, is_live }: Processor['providers'][number], found: ProviderState) {
  const { unmatched, ...state } = found
  const json = (time: Date | null) => time && toIso(time)
  return {
    name,
    is_live,
    state: found.is_failing ? 'failing' : 'ok',
    last_webhook_at: json(state.last_webhook_at),
    last_sweep_at: json(state.last_sweep_at),
    last_error: state.last_error,
    last_error_at: json(state.last_error_at),
    backlog: state.backlog,
    oldest_backlog_at: json(state.oldest_backlog_at),
    unmatched: {
      count: unmatched.count,
      data: unmatched.data.map(({ received_at, ...payment }) => ({
        ...payment,
        received_at: toIso(received_at),
      })),
    },
  }
}
