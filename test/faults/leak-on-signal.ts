// Loaded by `node --import` before Florin: from SIGUSR2 on the process grows without end, in its
// heap or outside of it, slowly or within moments. Which stands in the address of this file, behind
// a question mark.

import { getHeapStatistics } from 'node:v8'

const way = new URL(import.meta.url).searchParams
const kept: unknown[] = []

function grow(): void {
  const numbers = () => Array.from({ length: 400_000 }, (_, at) => at + 0.5)
  // Filled, because memory that nobody touched is not there.
  kept.push(way.has('heap') ? numbers() : Buffer.alloc(3_200_000, 1))
}

/** Slower near the end, where a busy machine may need seconds to stop in good order. */
function growSlowly(): void {
  grow()
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  const young_limit = 96 * 1024 * 1024
  const is_near_end = used_heap_size > 0.8 * (heap_size_limit - young_limit)
  setTimeout(growSlowly, is_near_end ? 1_000 : 200)
}

process.on('SIGUSR2', () => {
  if (way.has('slowly')) growSlowly()
  // All in one go, in which nothing else is done.
  else for (;;) grow()
})
