// How test code changes what a server of its own does: while a file is loaded, a text in it becomes
// another. What is shipped holds no switch for any of it.

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface Swap {
  /** From the root of the repository. */
  file: string
  /** Must occur exactly once. */
  from: string
  to: string
}

const root = new URL('../../', import.meta.url)

/** For a module that `node --import` loads before Florin. */
export function swapSources(swaps: readonly Swap[]): void {
  const swapped = new Map(
    [...swapAll(swaps)].map(([file, text]) => [new URL(file, root).href, text] as const),
  )
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const source = swapped.get(url)
      return source === undefined ? loaded : { ...loaded, source }
    },
  })
}

/** The texts of all files that these swaps change, by file; throws when one does not fit. */
export function swapAll(swaps: readonly Swap[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const swap of swaps) {
    const path = fileURLToPath(new URL(swap.file, root))
    texts.set(swap.file, swapText(texts.get(swap.file) ?? readFileSync(path, 'utf8'), swap))
  }
  return texts
}

/** The text with this swap; throws when it does not fit the text exactly once. */
export function swapText(text: string, { file, from, to }: Swap): string {
  const parts = text.split(from)
  if (parts.length === 2) return parts.join(to)
  throw new Error(
    `A swap looks for a text that occurs ${parts.length - 1} times in ${file}, and must occur ` +
      `once. Mend the table of swaps under test/simulation that holds it:\n${from}`,
  )
}
