// "Did you mean …?" for settings, fields and commands.

/**
 * The known name that takes the fewest slips of the finger to reach, ignoring case; the first of
 * several. Undefined when half of the letters or more would have to change: a wild guess misleads
 * more than silence.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const slips = countSlips(name.toLowerCase(), candidate.toLowerCase())
    if (slips < fewest && slips * 2 < Math.max(name.length, candidate.length)) {
      nearest = candidate
      fewest = slips
    }
  }
  return nearest
}

// Names are a few dozen characters; the work grows with the product of both lengths, and the name
// may come from outside.
const length_max = 64

/**
 * The Damerau–Levenshtein distance: letters put in, left out, replaced, or swapped with their
 * neighbour. Each row holds the distances from one prefix of `from` to all prefixes of `to`.
 */
function countSlips(from: string, to: string): number {
  if (from.length > length_max || to.length > length_max) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      let slips = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (i > 1 && j > 1 && swapped) slips = Math.min(slips, beforeLast[j - 2]! + 1)
      row.push(slips)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}
