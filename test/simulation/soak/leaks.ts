// Leaks to plant, like the bugs for chaos: a soak that cannot detect them proves nothing.

import type { Swap } from '../swap-text.ts'

interface Leak {
  what: string
  swaps: Swap[]
}

export const leaks = {
  'memory-leak': {
    what: 'eight kilobytes per authenticated request are never released',
    swaps: [
      {
        file: 'src/identity/sessions/find-caller.ts',
        from: 'export function callerFinder(',
        to: 'const kept = []\n\nexport function callerFinder(',
      },
      {
        file: 'src/identity/sessions/find-caller.ts',
        from: '    return find(sha256(token)).then(callerOf)',
        to: `    kept.push(Array.from({ length: 1_000 }, (_, at) => kept.length + at))
    return find(sha256(token)).then(callerOf)`,
      },
    ],
  },
  'descriptor-leak': {
    what: 'a file descriptor per event stream stays open',
    swaps: [
      {
        file: 'src/http/event-streams.ts',
        from: "import { Readable } from 'node:stream'",
        to: "import { openSync } from 'node:fs'\nimport { Readable } from 'node:stream'",
      },
      {
        file: 'src/http/event-streams.ts',
        from: '    this.#hub.add(stream)\n',
        to: "    this.#hub.add(stream)\n    openSync('/dev/null')\n",
      },
    ],
  },
  'queue-leak': {
    what: 'the worker settles only a few due transactions and reports that there are no more',
    swaps: [
      {
        file: 'src/jobs/due-work.ts',
        from: 'const round_max = 1_024',
        to: 'const round_max = 16',
      },
      {
        file: 'src/jobs/due-work.ts',
        from: 'more: round.is_more && round.done > 0',
        to: 'more: false',
      },
    ],
  },
} as const satisfies Record<string, Leak>

export type LeakName = keyof typeof leaks
export const leakNames = Object.keys(leaks) as LeakName[]
