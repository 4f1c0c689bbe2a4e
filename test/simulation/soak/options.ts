// The words after `npm run soak --`.

import { parseArgs } from 'node:util'
import { BadOption } from '../options.ts'
import { type LeakName, leakNames } from './leaks.ts'

export interface SoakOptions {
  minutes: number
  /** As a share of what the server takes. */
  load: number
  seed: number
  plant: LeakName | undefined
  /** Requests a second, instead of a share of what is measured first. */
  rate: number | undefined
  /** Where every sample is written as a line of JSON. */
  samples: string | undefined
}

export function readSoakOptions(args: string[]): SoakOptions {
  const given = parse(args)
  return {
    minutes: within(given, 'minutes', 30, 0.5, 1_440),
    load: within(given, 'load', 0.5, 0.05, 1),
    seed: Math.floor(within(given, 'seed', 1, 0, 2 ** 31)),
    plant: given.plant === undefined ? undefined : leakOf(given.plant),
    rate: given.rate === undefined ? undefined : within(given, 'rate', 0, 1, 100_000),
    samples: given.samples,
  }
}

type Given = Partial<
  Record<'minutes' | 'load' | 'seed' | 'plant' | 'rate' | 'samples', string | undefined>
>

const text = { type: 'string' } as const

function parse(args: string[]): Given {
  try {
    const options = {
      minutes: text,
      load: text,
      seed: text,
      plant: text,
      rate: text,
      samples: text,
    }
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new BadOption((error as Error).message)
  }
}

function within(
  given: Given,
  name: keyof Given,
  usual: number,
  least: number,
  most: number,
): number {
  const value = given[name]
  if (value === undefined) return usual
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (number >= least && number <= most) return number
  throw new BadOption(`--${name} must be a number from ${least} to ${most}; ${value} came.`)
}

function leakOf(value: string): LeakName {
  const found = leakNames.find((name) => name === value)
  if (found !== undefined) return found
  throw new BadOption(`--plant must be one of ${leakNames.join(', ')}; ${value} came.`)
}
