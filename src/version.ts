import { readFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)

/** This version of Florin, from package.json, so that it is written in one place. */
export const version: string = JSON.parse(readFileSync(file, 'utf8')).version
