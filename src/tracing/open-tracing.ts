// Traces of one process, if they are configured. Spans are sent in the background.

import { randomUUID } from 'node:crypto'
import type { TraceExport } from '../trace-settings.ts'
import { type ExporterPace, SpanExporter } from './span-exporter.ts'
import { Tracer } from './tracer.ts'

export interface Tracing {
  tracer: Tracer
  /** How many spans were lost, for metrics. */
  countDropped(): number
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>
}

interface TracingProcess {
  kind: 'server' | 'worker' | 'doctor'
  version: string
  log: { warn(fields: object, message: string): void }
  pace?: Partial<ExporterPace>
}

export function openTracing(
  settings: TraceExport | undefined,
  { kind, version, log, pace = {} }: TracingProcess,
): Tracing | undefined {
  if (settings === undefined) return undefined
  const { service_name, resource, sample_ratio } = settings
  const attributes = {
    ...resource,
    'service.name': service_name,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'florin.process': kind,
  }
  // The URL is left out, because it may contain a token.
  const onFailure = (reason: string) => log.warn({ reason }, 'failed to send traces')
  const source = { resource: attributes, version }
  const exporter = new SpanExporter({ settings, source, onFailure, pace })
  return {
    tracer: new Tracer(sample_ratio, (span) => exporter.add(span)),
    countDropped: () => exporter.dropped,
    close: () => exporter.close(),
  }
}
