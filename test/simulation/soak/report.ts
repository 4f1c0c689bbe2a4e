// What a soak says at its end.

import {
  type EvaluatedMeasure,
  missedFloors,
  type SoakTotals,
  type SoakVerdict,
  tolerances,
} from './evaluate-soak.ts'
import { measures } from './samples.ts'

export function printReport(
  judged: EvaluatedMeasure[],
  seen: SoakTotals,
  complaints: string[],
): void {
  console.log('\n| measure | first | last | mean of the second half | growth over it | |')
  console.log('|---|---|---|---|---|---|')
  for (const one of judged) console.log(rowOf(one))
  const { memory, handles, queue } = tolerances
  console.log(
    `\nGROWING: by more than ${memory.share * 100} % and ${memory.least} MB, ` +
      `${handles.share * 100} % and ${handles.least} handles, ` +
      `${queue.share * 100} % and ${queue.least} in a queue, and not by chance.`,
  )
  const missing = measures.filter(({ name }) => judged.every((one) => one.name !== name))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    console.log(`Not measured, because this system has no /proc: ${names}.`)
  }
  for (const complaint of complaints) console.log(complaint)
  const missed = missedFloors(seen)
  if (missed.length > 0) console.log(`seen too little: ${missed.join(', ')}`)
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
  seen: SoakTotals,
  more: Record<string, unknown>,
): string {
  const { done: _, ...counts } = seen
  const told = Object.entries({ ...counts, ...more }).filter(([, value]) => value !== undefined)
  return `soak ${told.map(([name, value]) => `${name}=${value}`).join(' ')} ${verdict}`
}
