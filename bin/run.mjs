// `node bin/run.mjs FILE [ARGUMENT …]` runs a project script, such as the tests, on a Node that is
// new enough, or prints how to install one.

import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launch } from './launch.mjs'

await launch(fileURLToPath(import.meta.url), () => {
  // Remove this file from argv, so the script sees its arguments at the usual positions.
  process.argv.splice(1, 1)
  return import(pathToFileURL(resolve(process.argv[1])).href)
})
