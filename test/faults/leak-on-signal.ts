// Loaded by `node --import` before Florin: from SIGUSR2 on the process grows without end, in its
// heap or outside of it. Which one stands in the address of this file, behind a question mark.

const grows_in_heap = new URL(import.meta.url).search === '?heap'
const kept: unknown[] = []

process.on('SIGUSR2', () => {
  // Slowly enough that it goes on serving meanwhile, and fast enough that nobody waits for it.
  setInterval(() => {
    const numbers = () => Array.from({ length: 400_000 }, (_, at) => at + 0.5)
    // Filled, because memory that nobody touched is not there.
    kept.push(grows_in_heap ? numbers() : Buffer.alloc(8 * 1024 * 1024, 1))
  }, 25)
})
