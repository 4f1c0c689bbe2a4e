// Many look-ups of one kind, one statement. A look-up goes out at once when few are under way;
// those that come meanwhile wait and go together as the next one. Nothing is remembered: every
// caller gets an answer read after it asked. Nobody waits for a timer, but where a caller has asked
// for one because nobody waits for the answer.

export interface CoalesceLimits {
  /** Keys in one statement. */
  batch_max: number
  /** Keys waiting; beyond that the caller is refused at once. */
  queue_max: number
  /** How long the first of a batch waits for others. */
  gather_ms?: number
}

// With one under way the server has nothing to do while the database answers it; with more than
// two the statements become small and many.
const under_way_max = 2

interface QueuedLookup<Key, Value> {
  key: Key
  resolve: (value: Value | undefined) => void
  reject: (error: unknown) => void
}

/**
 * `find` gets the keys of a batch, in order, and answers with one value (or undefined) for each.
 * `overflow` makes the error for a caller that finds the queue full.
 */
export function coalesce<Key, Value>(
  find: (keys: Key[]) => Promise<(Value | undefined)[]>,
  limits: CoalesceLimits,
  overflow: () => Error,
): (key: Key) => Promise<Value | undefined> {
  let waiting: QueuedLookup<Key, Value>[] = []
  let under_way = 0

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batch_max)
      waiting = waiting.slice(limits.batch_max)
      await settle(batch)
    }
    under_way -= 1
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
      if (under_way >= under_way_max) return
      under_way += 1
      // One turn of the event loop gathers the requests that arrived in the same read of the
      // sockets, so that a burst is one statement and not one plus the rest.
      if (limits.gather_ms === undefined) setImmediate(drain)
      else setTimeout(drain, limits.gather_ms)
    })
}
