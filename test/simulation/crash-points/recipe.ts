// How to send one kind of write, and how to verify its effect.

import type { Point } from './points.ts'
import type { Reply } from './send-once.ts'
import type { World } from './world.ts'

export interface Recipe {
  /** The operationId in the OpenAPI document, or the name of a page operation. */
  operation: string
  /** Distinguishes recipes of one operation. */
  variant?: string
  /** Creates everything the request needs, and the request itself. */
  prepare(world: World): Promise<PreparedRequest>
  /** Points that the request never reaches, with the reason. The test verifies this. */
  unreachable?: Partial<Record<Point, string>>
  /** Why it takes more than one database transaction. Sent again, it completes the rest. */
  multi_step?: string
  /**
   * Whether it changes rows before its transaction, so a crash in the transaction leaves these
   * changes. `verifyEffect` checks that the repeated request completes the rest.
   */
  early_steps?: true
  /**
   * The outcome of repeating the request after it had an effect, for requests that no
   * Idempotency-Key identifies: the operation takes none, or the request itself revoked the
   * caller's token.
   */
  on_repeat?: RepeatExpectation
}

interface RepeatExpectation {
  status: number
  /** 'something else' is checked by `verifyEnd`. */
  changes: 'nothing' | 'the same once more' | 'something else'
}

export interface PreparedRequest {
  /** Values for the path parameters. */
  params?: Record<string, string>
  /** With its question mark. */
  query?: string
  token?: string
  /** The account that an admin acts for. */
  account_id?: string
  body?: unknown
  /** Additional headers, such as those of a browser. */
  headers?: Record<string, string>
  /** Verifies over the API that the effect is present and complete. */
  verifyEffect?(response: Reply['body']): Promise<void>
  /** Verifies the final state, after the repeat. */
  verifyEnd?(): Promise<void>
}

export function nameOf({ operation, variant }: Recipe): string {
  return variant === undefined ? operation : `${operation} ${variant}`
}
