// The API reference is a page and a 4.4 MB script that few people open. Importing the package
// costs 150 ms and 40 MB, so it happens on first request in a worker thread, which frees its
// memory when it exits and does not delay payments.

import { Worker } from 'node:worker_threads'

export interface Reference {
  /** Contains a placeholder that each response replaces with a fresh nonce. */
  page: string
  script_gzip: Buffer
}

export const nonce_placeholder = 'florin-nonce'

let reference: Promise<Reference> | undefined

/** Built once. After a failure, the next request retries. */
export function getReference(): Promise<Reference> {
  reference ??= buildReference().catch((error) => {
    reference = undefined
    throw error
  })
  return reference
}

function buildReference(): Promise<Reference> {
  const { promise, resolve, reject } = Promise.withResolvers<Reference>()
  const worker = new Worker(new URL('./reference-worker.ts', import.meta.url))
  // A posted Buffer arrives as a Uint8Array.
  worker.once('message', ({ page, script_gzip }: Reference) =>
    resolve({
      page,
      script_gzip: Buffer.from(script_gzip.buffer, script_gzip.byteOffset, script_gzip.length),
    }),
  )
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('failed to build the API reference')))
  return promise
}
