// Loaded by `node --import` before Florin: from SIGUSR2 on the process grows without end, in its
// heap or outside of it, slowly or within moments. Which stands in the address of this file, behind
// a question mark.

const way = new URL(import.meta.url).searchParams
const kept: unknown[] = []

process.on('SIGUSR2', () => {
  // 16 MB a second, at which it goes on serving; or as much as no collection keeps up with.
  const pause_ms = way.has('slowly') ? 200 : 5
  setInterval(() => {
    const numbers = () => Array.from({ length: 400_000 }, (_, at) => at + 0.5)
    // Filled, because memory that nobody touched is not there.
    kept.push(way.has('heap') ? numbers() : Buffer.alloc(3_200_000, 1))
  }, pause_ms)
})
