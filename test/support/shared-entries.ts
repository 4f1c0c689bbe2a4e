// Creates the entry points of the processes that share test files: see shared-process.ts.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Read by the processes, from the folder of the run. */
export interface FileQueue {
  files: string[]
  /** How many files a process takes, whatever memory they need. */
  each: number
}

const modules = ['test-context.ts', 'shared-process.ts'].map(
  (name) => new URL(name, import.meta.url).href,
)

/** Returns one entry for each process that the files may need. */
export async function writeEntries(run_path: string, queue: FileQueue): Promise<string[]> {
  await writeFile(join(run_path, 'queue.json'), JSON.stringify(queue))
  const length = Math.ceil(queue.files.length / queue.each)
  const entries = Array.from({ length }, (_, at) => join(run_path, `shared-${at}.mjs`))
  const text = modules.map((module) => `await import('${module}')\n`).join('')
  await Promise.all(entries.map((entry) => writeFile(entry, text)))
  return entries
}
