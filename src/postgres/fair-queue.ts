// A fair queue for work that is heavy on a shared resource. A few tasks run at once; waiting tasks
// are served round-robin by key, so a caller with 50 requests delays another by only one of them.

import { Refusal } from '../primitives/refusal.ts'

interface FairQueueLimits {
  concurrency_max: number
  /** A request that has waited longer is rejected at the next turn. */
  wait_max_ms: number
  /** How many tasks of one key run at once; default 1. */
  concurrency_per_key_max?: number
  /** How many tasks may wait, in total and per key; default unlimited. */
  waiting_max?: number
  waiting_per_key_max?: number
  /**
   * The share of each class in `concurrency_max`. A class below its share goes first. Unused shares
   * are free for other classes, so no slot is idle while a request waits.
   */
  shares?: Record<string, number>
  refusal?: () => Refusal
}

interface FairQueueOptions {
  class?: string
  /** False when the client has disconnected: the request is dropped instead of run. */
  isWanted?(): boolean
}

interface QueuedTask {
  since: number
  isWanted(): boolean
  begin(): void
  reject(error: unknown): void
}

interface Queue {
  key: string
  class: string
  running: number
  waiting: QueuedTask[]
}

interface FairQueue {
  <Result>(key: string, run: () => Promise<Result>, options?: FairQueueOptions): Promise<Result>
  /** Whether another request of this key would be queued rather than rejected. */
  hasRoom(key: string, options?: FairQueueOptions): boolean
}

export function createFairQueue(limits: FairQueueLimits): FairQueue {
  const { concurrency_max, wait_max_ms, shares = {}, refusal = tooMany } = limits
  const { concurrency_per_key_max = 1, waiting_per_key_max = Number.POSITIVE_INFINITY } = limits
  const waiting_max = limits.waiting_max ?? Number.POSITIVE_INFINITY
  /** By class and key. A queue that has had a turn moves to the end. */
  const queues = new Map<string, Queue>()
  let running = 0

  function next(): void {
    for (const queue of queues.values()) dropExpired(queue)
    while (running < concurrency_max) {
      const queue = choose()
      if (queue === undefined) return
      queue.running += 1
      running += 1
      queues.delete(nameOf(queue))
      queues.set(nameOf(queue), queue)
      queue.waiting.shift()!.begin()
    }
  }

  function choose(): Queue | undefined {
    const ready = [...queues.values()].filter(
      (queue) => queue.waiting.length > 0 && queue.running < concurrency_per_key_max,
    )
    return ready.find((queue) => runningOf(queue.class) < (shares[queue.class] ?? 0)) ?? ready[0]
  }

  function runningOf(name: string): number {
    let sum = 0
    for (const queue of queues.values()) if (queue.class === name) sum += queue.running
    return sum
  }

  function dropExpired(queue: Queue): void {
    const oldest = performance.now() - wait_max_ms
    const isValid = (item: QueuedTask) => item.since >= oldest && item.isWanted()
    for (const item of queue.waiting) if (!isValid(item)) item.reject(refusal())
    queue.waiting = queue.waiting.filter(isValid)
    deleteIfEmpty(queue)
  }

  function deleteIfEmpty(queue: Queue): void {
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(nameOf(queue))
  }

  function findQueue(key: string, { class: name = '' }: FairQueueOptions): Queue {
    const queue = { key, class: name, running: 0, waiting: [] }
    return queues.get(nameOf(queue)) ?? queue
  }

  /** For a full queue: the longest queue, if it is longer than this one would become. */
  function findLonger(queue: Queue): Queue | undefined {
    let longest = queue
    for (const other of queues.values()) {
      if (other.waiting.length > longest.waiting.length) longest = other
    }
    return longest.waiting.length > queue.waiting.length + 1 ? longest : undefined
  }

  function hasRoomIn(queue: Queue): boolean {
    if (running < concurrency_max && queue.running < concurrency_per_key_max) return true
    if (queue.waiting.length >= waiting_per_key_max) return false
    return countWaiting() < waiting_max || findLonger(queue) !== undefined
  }

  function countWaiting(): number {
    let sum = 0
    for (const queue of queues.values()) sum += queue.waiting.length
    return sum
  }

  function enqueue(queue: Queue, item: QueuedTask): void {
    const is_full = countWaiting() >= waiting_max && running >= concurrency_max
    // Drops the newest request of the longest queue, so that one caller cannot fill the queue.
    if (is_full) findLonger(queue)?.waiting.pop()?.reject(refusal())
    queue.waiting.push(item)
    queues.set(nameOf(queue), queue)
    next()
  }

  const take: FairQueue = async (key, run, options = {}) => {
    const queue = findQueue(key, options)
    if (!hasRoomIn(queue)) throw refusal()
    await new Promise<void>((begin, reject) => {
      const isWanted = options.isWanted ?? (() => true)
      enqueue(queue, { since: performance.now(), isWanted, begin, reject })
    })
    try {
      return await run()
    } finally {
      running -= 1
      queue.running -= 1
      deleteIfEmpty(queue)
      next()
    }
  }
  take.hasRoom = (key, options = {}) => hasRoomIn(findQueue(key, options))
  return take
}

function nameOf(queue: { key: string; class: string }): string {
  return `${queue.class}\n${queue.key}`
}

function tooMany(): Refusal {
  return new Refusal('unavailable', 'Too many concurrent searches. Try again shortly.', {
    retry_after_s: 1,
  })
}
