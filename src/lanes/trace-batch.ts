// Traces of batches. A request waits in the queue of a lane, then its batch runs. A batch serves
// many requests, so its span is a separate trace with a link to each of them, and each of them has
// a link to the batch. A batch of one request is part of its trace.

import type { Tracer } from '../tracing/tracer.ts'
import type { QueuedEntry } from './entry-queue.ts'
import { type LaneEntry, locked_elsewhere, type Outcome } from './lane-entry.ts'

/** Called when a batch starts. Returns what to call when it ends; undefined if none is traced. */
export type TraceBatch = (
  batch: QueuedEntry<LaneEntry, unknown>[],
) => ((outcomes: Outcome<unknown>[]) => void) | undefined

export function batchTracer(tracer: Tracer, lane: string): TraceBatch {
  return (batch) => {
    const traced = batch.flatMap(({ entry: { span }, since }) => (span ? [{ span, since }] : []))
    if (traced.length === 0) return undefined
    const start_ms = performance.now()
    const options = { name: 'lane flush', kind: 'internal', start_ms } as const
    const only = batch.length === 1 ? traced[0]?.span : undefined
    const flush = only === undefined ? tracer.record(options) : only.child(options)
    for (const { span, since } of traced) {
      const wait = span.child({ name: 'lane wait', kind: 'internal', start_ms: since })
      wait.set({ 'florin.lane': lane })
      if (only === undefined) {
        wait.link(flush)
        flush.link(span)
      }
      wait.end(start_ms)
    }
    const weight = batch.reduce((sum, { entry }) => sum + (entry.weight ?? 1), 0)
    flush.set({ 'florin.lane': lane, 'florin.entries': batch.length, 'florin.changes': weight })
    return (outcomes) => {
      flush.set({
        'florin.rejected': outcomes.filter((outcome) => 'error' in outcome).length,
        'florin.skipped': outcomes.filter((outcome) => outcome === locked_elsewhere).length,
      })
      flush.end()
    }
  }
}
