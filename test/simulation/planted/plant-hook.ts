// Loaded by `node --import` before Florin: swaps the text of a planted bug into its files. Which
// one stands in the address of this file, behind a question mark.

import { swapSources } from '../swap-text.ts'
import { type PlantName, plants } from './plants.ts'

const name = new URL(import.meta.url).search.slice(1) as PlantName
const plant = plants[name]
if (plant === undefined) throw new Error(`${name} is no planted bug`)
swapSources(plant.swaps)
