// The API reference is a page and a script of 4.4 MB, which few people ever look at. Importing the
// package costs 150 ms and 40 MB, so it happens at the first request, in a thread that ends
// afterwards and gives its memory back; payments are not held up meanwhile.

import { Worker } from 'node:worker_threads'

export interface Reference {
  /** With a placeholder where each answer puts a nonce of its own. */
  page: string
  script_gzip: Buffer
}

export const nonce_placeholder = 'florin-nonce'

let reference: Promise<Reference> | undefined

/** Made once. After a failure the next request tries again. */
export function getReference(): Promise<Reference> {
  reference ??= makeReference().catch((error) => {
    reference = undefined
    throw error
  })
  return reference
}

function makeReference(): Promise<Reference> {
  const { promise, resolve, reject } = Promise.withResolvers<Reference>()
  const worker = new Worker(new URL('./reference-worker.ts', import.meta.url))
  // A buffer that is posted arrives as a plain array of bytes.
  worker.once('message', ({ page, script_gzip }: Reference) =>
    resolve({
      page,
      script_gzip: Buffer.from(script_gzip.buffer, script_gzip.byteOffset, script_gzip.length),
    }),
  )
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('the API reference was not made')))
  return promise
}
