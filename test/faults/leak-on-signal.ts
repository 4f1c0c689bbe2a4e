// Loaded before Florin (`node --import`): after SIGUSR2 the process leaks memory, in its heap or
// outside of it, slowly or at once. The query string of this file's URL selects which.

import { getHeapStatistics } from 'node:v8'

const options = new URL(import.meta.url).searchParams
const leaked: unknown[] = []

function grow(): void {
  const numbers = () => Array.from({ length: 400_000 }, (_, at) => at + 0.5)
  // Filled, because untouched pages are not allocated.
  leaked.push(options.has('heap') ? numbers() : Buffer.alloc(3_200_000, 1))
}

/** Slows down near the limit, where a busy machine may need seconds for a graceful shutdown. */
function growSlowly(): void {
  grow()
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const young_limit = 96 * 1024 * 1024
  const is_near_end = used_heap_size > 0.8 * (heap_size_limit - young_limit)
  setTimeout(growSlowly, is_near_end ? 1_000 : 200)
}

process.on('SIGUSR2', () => {
  if (options.has('slowly')) growSlowly()
  // Blocks the event loop, so nothing else can run.
  else for (;;) grow()
})
