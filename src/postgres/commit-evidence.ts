// Evidence that a change was committed: see docs/decisions/0015-commit-outcome.md.

import type { Queryable } from './statement-runner.ts'

/**
 * Runs in a later transaction. Waits until the change has ended, and returns whether it was
 * committed. Takes a lock or writes, so that its COMMIT waits for a synchronous standby.
 */
export type Evidence = (later: Queryable) => Promise<boolean>
