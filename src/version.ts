import { readFileSync } from 'node:fs'

const file = new URL('../package.json', import.meta.url)

const manifest: { version: string; scripts?: object } = JSON.parse(readFileSync(file, 'utf8'))

/** This version of Florin, from package.json, so that it is written in one place. */
export const version = manifest.version

const is_checkout = manifest.scripts !== undefined

/** How a user runs a command, for messages: a published package has no npm scripts. */
export const florin_command = is_checkout ? 'npm run florin --' : 'florin'

export const start_command = is_checkout ? 'npm start' : 'florin start'

// By the tarball: `florin` in the registry is an unrelated package.
export const install_command = is_checkout ? 'npm ci' : `npm install ./florin-${version}.tgz`
