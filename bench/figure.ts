// What a bench measures.

export interface Figure {
  name: string
  value: number
  unit: 'per second' | 'ratio' | 'ms' | 'MB' | 'bytes' | 'flushes' | 'count'
  /** `min` and `max` decide the verdict; `goal` is a target. */
  min?: number
  max?: number
  goal?: number
  details: Record<string, unknown>
}
