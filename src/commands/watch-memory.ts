// Says when memory comes to its end, while there is still enough of it to stop in good order: V8
// ends a process whose heap is full in the middle of whatever it does, and so does the kernel with
// a control group that has outgrown its limit.

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { readControlGroup } from './control-group.ts'

export interface MemoryShortage {
  /** For people: what has come to its end, and what to do about it. */
  sentence: string
  used_mb: number
  limit_mb: number
}

interface Fill {
  used: number
  limit: number
}

// What is left above it must do for answering those who wait, and for stopping.
const heap_share = 0.8
const group_share = 0.9

// A single large request may fill it for a moment. One that is still full this much later stays so.
const lasting_ms = 500
const look_every_ms = 250

/** Tells of it once. */
export function watchMemory(tell: (shortage: MemoryShortage) => void): void {
  const heap = new Lasting(heap_share)
  const group = new Lasting(group_share)
  // Only what a whole collection has left is in use; before one, most of a heap may be garbage.
  const collections = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isWhole)) return
    const fill = measureHeap()
    if (heap.isShort(fill)) end(fill, heap_sentence)
  })
  collections.observe({ entryTypes: ['gc'] })
  const lookAtGroup = () => {
    const fill = readControlGroup()
    if (fill !== undefined && group.isShort(fill)) end(fill, group_sentence)
  }
  const has_group = readControlGroup() !== undefined
  const looks = has_group ? setInterval(lookAtGroup, look_every_ms).unref() : undefined

  function end({ used, limit }: Fill, sentence: string): void {
    collections.disconnect()
    clearInterval(looks)
    tell({ sentence, used_mb: Math.round(used / mb), limit_mb: Math.round(limit / mb) })
  }
}

/** Whether it has been fuller than its share for a while. */
class Lasting {
  readonly #share: number
  #since: number | undefined

  constructor(share: number) {
    this.#share = share
  }

  isShort({ used, limit }: Fill): boolean {
    if (used < limit * this.#share) {
      this.#since = undefined
      return false
    }
    this.#since ??= performance.now()
    return performance.now() - this.#since >= lasting_ms
  }
}

function isWhole(entry: PerformanceEntry): boolean {
  const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

const mb = 1024 * 1024

// V8 tells one limit for the old and the young; it is the old that is full when a process ends.
const young_limit = 96 * mb

function measureHeap(): Fill {
  const old = getHeapSpaceStatistics().filter(({ space_name }) => !/^(new|read)_/.test(space_name))
  const used = old.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  return { used, limit: getHeapStatistics().heap_size_limit - young_limit }
}

const heap_sentence =
  'Memory is nearly full: Florin answers those who wait and starts itself again. If this comes ' +
  'often, give it more: NODE_OPTIONS=--max-old-space-size=, in MB'

const group_sentence =
  'The memory of this container or service is nearly full: Florin answers those who wait and ' +
  'starts itself again. If this comes often, raise its limit'
