// Reports that memory is nearly full while there is enough left for a graceful shutdown. V8 aborts
// a process whose heap is full, and the kernel kills one in a control group over its limit.

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { readControlGroup } from './control-group.ts'

export interface MemoryShortage {
  /** What is nearly full, and what to do. */
  message: string
  used_mb: number
  limit_mb: number
}

interface MemoryUse {
  used: number
  limit: number
}

// The rest must be enough to finish requests in progress and to stop.
const heap_share = 0.8
const group_share = 0.9

// A single large request may fill memory for a moment, so the shortage has to last.
const lasting_ms = 500
const poll_ms = 250

/** Calls `onShortage` once. */
export function watchMemory(onShortage: (shortage: MemoryShortage) => void): void {
  const heap = new ShortageDetector(heap_share)
  const group = new ShortageDetector(group_share)
  // The heap is measured after a major collection; before one, most of it may be garbage.
  const collections = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isMajorCollection)) return
    const use = measureHeap()
    if (heap.isShort(use)) end(use, heap_message)
  })
  collections.observe({ entryTypes: ['gc'] })
  const checkGroup = () => {
    const use = readControlGroup()
    if (use !== undefined && group.isShort(use)) end(use, group_message)
  }
  const has_group = readControlGroup() !== undefined
  const timer = has_group ? setInterval(checkGroup, poll_ms).unref() : undefined

  function end({ used, limit }: MemoryUse, message: string): void {
    collections.disconnect()
    clearInterval(timer)
    onShortage({ message, used_mb: Math.round(used / mb), limit_mb: Math.round(limit / mb) })
  }
}

/** Detects use above a share of the limit that lasts for `lasting_ms`. */
class ShortageDetector {
  readonly #share: number
  #since: number | undefined

  constructor(share: number) {
    this.#share = share
  }

  isShort({ used, limit }: MemoryUse): boolean {
    if (used < limit * this.#share) {
      this.#since = undefined
      return false
    }
    this.#since ??= performance.now()
    return performance.now() - this.#since >= lasting_ms
  }
}

function isMajorCollection(entry: PerformanceEntry): boolean {
  const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

const mb = 1024 * 1024

// V8 reports one limit for both generations; a process aborts when the old generation is full.
const young_limit = 96 * mb

function measureHeap(): MemoryUse {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !/^(new|read)_/.test(space_name))
  const used = old.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  return { used, limit: getHeapStatistics().heap_size_limit - young_limit }
}

const heap_message =
  'heap memory is nearly full: finishing requests in progress and restarting. If this happens ' +
  'often, raise the limit: NODE_OPTIONS=--max-old-space-size=, in MB'

const group_message =
  'memory of this container or service is nearly full: finishing requests in progress and ' +
  'restarting. If this happens often, raise its memory limit'
