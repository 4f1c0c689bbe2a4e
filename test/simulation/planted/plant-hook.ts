// Loaded by `node --import` before Florin: swaps the text of a planted bug into its files. Which
// one stands in the address of this file, behind a question mark.

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { leaks } from '../soak/leaks.ts'
import { plants, type Swap, swapText } from './plants.ts'

const all: Record<string, { swaps: readonly Swap[] }> = { ...plants, ...leaks }
const name = new URL(import.meta.url).search.slice(1)
const plant = all[name]
if (plant === undefined) throw new Error(`${name} is no planted bug`)

const swapped = new Map<string, string>()
for (const swap of plant.swaps) {
  const url = new URL(`../../../${swap.file}`, import.meta.url).href
  const text = swapped.get(url) ?? readFileSync(fileURLToPath(url), 'utf8')
  swapped.set(url, swapText(text, swap))
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const source = swapped.get(url)
    return source === undefined ? loaded : { ...loaded, source }
  },
})
