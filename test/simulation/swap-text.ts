// Lets tests change the behavior of a server: while a source file is loaded, a text in it is
// replaced. The shipped code has no switch for this.

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface Swap {
  /** Path from the root of the repository. */
  file: string
  /** Must occur exactly once. */
  from: string
  to: string
}

const root = new URL('../../', import.meta.url)

/** For a module that is loaded before Florin (`node --import`). */
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

/** Returns the changed texts by file. Throws if a swap does not match. */
export function swapAll(swaps: readonly Swap[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const swap of swaps) {
    const path = fileURLToPath(new URL(swap.file, root))
    texts.set(swap.file, swapText(texts.get(swap.file) ?? readFileSync(path, 'utf8'), swap))
  }
  return texts
}

/** Returns the text with the swap. Throws if its text does not occur exactly once. */
export function swapText(text: string, { file, from, to }: Swap): string {
  const parts = text.split(from)
  if (parts.length === 2) return parts.join(to)
  throw new Error(
    `The swap text occurs ${parts.length - 1} times in ${file}, but must occur once. ` +
      `Update the swap under test/simulation that has this text:\n${from}`,
  )
}
