import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `condition` is true. After 30 s it throws with `what`, or the condition's source. */
export async function until(condition: () => boolean | Promise<boolean>, what?: string) {
  const deadline_ms = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > deadline_ms) throw new Error(`timed out: ${what ?? condition}`)
    await sleep(5)
  }
}
