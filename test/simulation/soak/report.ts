// Prints the results of a soak.

import {
  type EvaluatedMeasure,
  missedFloors,
  type SoakTotals,
  type SoakVerdict,
  tolerances,
} from './evaluate-soak.ts'
import { measures } from './samples.ts'

export function printReport(
  evaluated: EvaluatedMeasure[],
  totals: SoakTotals,
  failures: string[],
): void {
  console.log(
    '\n| measure | first | last | mean of second half | growth in second half | verdict |',
  )
  console.log('|---|---|---|---|---|---|')
  for (const one of evaluated) console.log(rowOf(one))
  const { memory, handles, queue } = tolerances
  console.log(
    `\nGROWING: more than ${memory.share * 100} % and ${memory.min} MB, ` +
      `${handles.share * 100} % and ${handles.min} handles, or ` +
      `${queue.share * 100} % and ${queue.min} queue entries, and statistically significant.`,
  )
  const missing = measures.filter(({ name }) => evaluated.every((one) => one.name !== name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    console.log(`Not measured, because /proc is not available: ${names}.`)
  }
  for (const failure of failures) console.log(failure)
  const missed = missedFloors(totals)
  if (missed.length > 0) console.log(`too little coverage: ${missed.join(', ')}`)
}

function rowOf({ name, unit, first, last, trend, verdict }: EvaluatedMeasure): string {
  const show = (value: number | undefined) =>
    value === undefined ? '–' : `${value.toFixed(unit === 'MB' ? 1 : 0)}`
  const growth = trend && `${show(trend.growth)} (${(trend.share * 100).toFixed(1)} %)`
  const of = unit === 'MB' ? `${name}, MB` : name
  const cells = [of, show(first), show(last), show(trend?.mean), growth ?? '–', verdict]
  return `| ${cells.join(' | ')} |`
}

export function lastLine(
  verdict: SoakVerdict,
  totals: SoakTotals,
  more: Record<string, unknown>,
): string {
  const { done: _, ...counts } = totals
  const figures = Object.entries({ ...counts, ...more }).filter(([, value]) => value !== undefined)
  return `soak ${figures.map(([name, value]) => `${name}=${value}`).join(' ')} ${verdict}`
}
