// Loaded before Florin (`node --import`): swaps the text of a planted bug into the source files.
// The query string of this file's URL names the bug.

import { leaks } from '../soak/leaks.ts'
import { type Swap, swapSources } from '../swap-text.ts'
import { planted_bugs } from './planted-bugs.ts'
import { provider_bugs } from './provider-bugs.ts'

const all: Record<string, { swaps: readonly Swap[] }> = {
  ...planted_bugs,
  ...provider_bugs,
  ...leaks,
}
const name = new URL(import.meta.url).search.slice(1)
const plant = all[name]
if (plant === undefined) throw new Error(`unknown planted bug: ${name}`)
swapSources(plant.swaps)
