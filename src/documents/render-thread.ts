// Renders PDF files in a thread: the first one of a script opens fonts, which takes up to a second
// of CPU time. The server handles other requests meanwhile. This file is also the thread's program.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import type { Language } from '../translations/localization.ts'
import type { DocumentRow } from './document.ts'

interface Job {
  id: number
  row: DocumentRow
  language: Language | undefined
}

type Result = { id: number; bytes: Uint8Array } | { id: number; error: unknown }

interface RenderRequest {
  resolve(bytes: Buffer): void
  reject(error: unknown): void
}

const program = 'render documents'

// A file takes some 50 ms once the fonts are open.
const waiting_max = 100

// Open fonts take some 100 MB. A server that renders nothing for a while returns them.
const idle_ms = 120_000

// A thread that does not respond is replaced.
const response_ms = 20_000

let thread: Worker | undefined
let last_id = 0
let timer: NodeJS.Timeout | undefined
const waiting = new Map<number, RenderRequest>()

/** The PDF file, in the language of the account unless another one is chosen. */
export function renderDocument(row: DocumentRow, language?: Language): Promise<Buffer> {
  if (waiting.size >= waiting_max) return Promise.reject(tooBusy())
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  last_id += 1
  waiting.set(last_id, { resolve, reject })
  thread ??= startThread()
  thread.postMessage({ id: last_id, row, language } satisfies Job)
  thread.ref()
  endAfter(response_ms)
  return promise
}

function startThread(): Worker {
  const started = new Worker(new URL(import.meta.url), { workerData: program })
  started.on('message', (result: Result) => finish(started, result))
  started.on('error', (error) => end(started, error))
  started.on('exit', () => end(started, undefined))
  return started
}

function finish(from: Worker, result: Result): void {
  const one = waiting.get(result.id)
  waiting.delete(result.id)
  if ('error' in result) one?.reject(result.error)
  else one?.resolve(Buffer.from(result.bytes.buffer))
  // An idle thread does not keep the process running.
  if (waiting.size === 0) from.unref()
  endAfter(waiting.size === 0 ? idle_ms : response_ms)
}

function endAfter(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => thread && end(thread, undefined), ms).unref()
}

function end(ended: Worker, cause: unknown): void {
  if (ended !== thread) return
  thread = undefined
  clearTimeout(timer)
  for (const { reject } of waiting.values()) reject(notRendered(cause))
  waiting.clear()
  void ended.terminate()
}

function notRendered(cause: unknown): Refusal {
  const message = 'The PDF file could not be created. Try again shortly.'
  return new Refusal('unavailable', message, { retry_after_s: 1, cause })
}

if (!isMainThread && workerData === program) {
  const { drawDocument } = await import('./draw-document.ts')
  parentPort!.on('message', ({ id, row, language }: Job) => {
    try {
      const bytes = new Uint8Array(drawDocument(row, language))
      parentPort!.postMessage({ id, bytes } satisfies Result, [bytes.buffer])
    } catch (error) {
      parentPort!.postMessage({ id, error } satisfies Result)
    }
  })
}
