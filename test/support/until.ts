import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what must come; a test that waits in vain fails by the words of what it waited for. */
export async function until(come: () => boolean | Promise<boolean>, what = come.toString()) {
  const give_up_ms = performance.now() + 30_000
  while (!(await come())) {
    if (performance.now() > give_up_ms) throw new Error(`never came: ${what}`)
    await sleep(5)
  }
}
