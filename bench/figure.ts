// What a bench measures.

export interface Figure {
  name: string
  value: number
  /** The lowest and the highest value of a round; `value` is the median. */
  spread?: [lowest: number, highest: number]
  unit: 'per second' | 'ratio' | 'ms' | 'MB' | 'bytes' | 'flushes' | 'count'
  /** `min` and `max` decide the verdict; `goal` is a target. */
  min?: number
  max?: number
  goal?: number
  details: Record<string, unknown>
}
