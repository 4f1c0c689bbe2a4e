// Loaded by `node --import` before Florin: swaps the text of a planted bug into its files. Which
// one stands in the address of this file, behind a question mark.

import { leaks } from '../soak/leaks.ts'
import { type Swap, swapSources } from '../swap-text.ts'
import { planted_bugs } from './planted-bugs.ts'

const all: Record<string, { swaps: readonly Swap[] }> = { ...planted_bugs, ...leaks }
const name = new URL(import.meta.url).search.slice(1)
const plant = all[name]
if (plant === undefined) throw new Error(`${name} is no planted bug`)
swapSources(plant.swaps)
