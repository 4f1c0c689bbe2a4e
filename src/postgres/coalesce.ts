// Combines concurrent lookups of one kind into one statement. A lookup is sent at once while few
// are in flight; lookups that arrive meanwhile form the next batch. Nothing is cached: every value
// is read after the call. There is no timer unless `gather_ms` is set, for lookups that no request
// waits for.

interface CoalesceLimits {
  /** Keys in one statement. */
  batch_max: number
  /** Keys waiting; a lookup beyond that is rejected at once. */
  queue_max: number
  /** How long the first of a batch waits for others. */
  gather_ms?: number
}

// With one in flight, this process idles while the database works; with more than two, batches
// become small and many.
const in_flight_max = 2

interface QueuedLookup<Key, Value> {
  key: Key
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

/**
 * `find` gets the keys of a batch, in order, and returns one value (or undefined) for each.
 * `overflow` creates the error for a lookup that finds the queue full.
 */
export function coalesce<Key, Value>(
  find: (keys: Key[]) => Promise<(Value | undefined)[]>,
  limits: CoalesceLimits,
  overflow: () => Error,
): (key: Key) => Promise<Value | undefined> {
  let waiting: QueuedLookup<Key, Value>[] = []
  let in_flight = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batch_max)
      waiting = waiting.slice(limits.batch_max)
      await settle(batch)
    }
    in_flight -= 1
  }

  async function settle(batch: QueuedLookup<Key, Value>[]): Promise<void> {
    try {
      const values = await find(batch.map((item) => item.key))
      batch.forEach((item, at) => {
        item.resolve(values[at])
      })
    } catch (error) {
      for (const item of batch) item.reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= limits.queue_max) return reject(overflow())
      waiting.push({ key, resolve, reject })
      if (in_flight >= in_flight_max) return
      in_flight += 1
      // One turn of the event loop collects the requests that arrived in the same socket read, so a
      // burst becomes one statement instead of one for the first and one for the rest.
      if (limits.gather_ms === undefined) setImmediate(drain)
      else setTimeout(drain, limits.gather_ms)
    })
}
