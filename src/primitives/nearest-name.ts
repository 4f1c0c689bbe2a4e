// "Did you mean …?" for settings, fields and commands.

/**
 * The known name with the smallest edit distance, ignoring case; the first of several. Undefined if
 * half of the characters or more differ: a poor suggestion is worse than none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase())
    if (edits < fewest && edits * 2 < Math.max(name.length, candidate.length)) {
      nearest = candidate
      fewest = edits
    }
  }
  return nearest
}

// The time is proportional to the product of both lengths, and the name may be user input.
const length_max = 64

/**
 * The Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent
 * characters. Each row has the distances from one prefix of `from` to all prefixes of `to`.
 */
function countEdits(from: string, to: string): number {
  if (from.length > length_max || to.length > length_max) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (i > 1 && j > 1 && swapped) edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}
