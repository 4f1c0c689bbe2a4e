// How one kind of write is asked for, and what is to be seen of it afterwards.

import type { Point } from './points.ts'
import type { Reply } from './send-once.ts'
import type { World } from './world.ts'

export interface Recipe {
  /** The operationId of the OpenAPI file, or the name of a page's. */
  operation: string
  /** Who or what, where one operation has several ways. */
  way?: string
  /** Makes all that the request needs, and the request. */
  prepare(world: World): Promise<PreparedRequest>
  /** Points that the request never passes, and why. It is held against what happens. */
  never?: Partial<Record<Point, string>>
  /** Why it is more than one database transaction: sent again, it does what was left undone. */
  multi_step?: string
  /**
   * What the same request is answered when it had an effect already and no Idempotency-Key says
   * that it is the same: the key is not taken, or the asker is gone by the request itself.
   */
  again?: RepeatExpectation
}

export interface RepeatExpectation {
  status: number
  /** Something else is what `atLast` of the request tells. */
  changes: 'nothing' | 'the same once more' | 'something else'
}

export interface PreparedRequest {
  /** For the braces of the path. */
  params?: Record<string, string>
  token?: string
  /** The account that an admin acts for. */
  account_id?: string
  body?: unknown
  /** What a browser sends with it. */
  headers?: Record<string, string>
  /** Looks through the API whether the effect is there, and whole. */
  look?(response: Reply['body']): Promise<void>
  /** What must hold at the very end, after it was sent again. */
  atLast?(): Promise<void>
}

export function nameOf({ operation, way }: Recipe): string {
  return way === undefined ? operation : `${operation} ${way}`
}
