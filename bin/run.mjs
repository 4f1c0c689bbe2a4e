// `node bin/run.mjs FILE [ARGUMENT …]`: a script of the project, such as the tests, on the Node
// that it needs, or a sentence that says how to get one.

import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launch } from './launch.mjs'

await launch(fileURLToPath(import.meta.url), () => {
  // The script finds its own arguments where it expects them.
  process.argv.splice(1, 1)
  return import(pathToFileURL(resolve(process.argv[1])).href)
})
