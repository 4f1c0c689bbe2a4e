// Parses the options of `npm run soak --`.

import { parseArgs } from 'node:util'
import { BadOption } from '../options.ts'
import { type LeakName, leakNames } from './leaks.ts'

export interface SoakOptions {
  minutes: number
  /** Share of the measured capacity. */
  load: number
  seed: number
  plant: LeakName | undefined
  /** Requests per second, instead of a share of the capacity. */
  rate: number | undefined
  /** A file to which every sample is written as a line of JSON. */
  samples: string | undefined
}

export function readSoakOptions(args: string[]): SoakOptions {
  const values = parse(args)
  return {
    minutes: within(values, 'minutes', 30, 0.5, 1_440),
    load: within(values, 'load', 0.5, 0.05, 1),
    seed: Math.floor(within(values, 'seed', 1, 0, 2 ** 31)),
    plant: values.plant === undefined ? undefined : leakOf(values.plant),
    rate: values.rate === undefined ? undefined : within(values, 'rate', 0, 1, 100_000),
    samples: values.samples,
  }
}

type ParsedOptions = Partial<
  Record<'minutes' | 'load' | 'seed' | 'plant' | 'rate' | 'samples', string | undefined>
>

const text = { type: 'string' } as const

function parse(args: string[]): ParsedOptions {
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
  values: ParsedOptions,
  name: keyof ParsedOptions,
  default_value: number,
  min: number,
  max: number,
): number {
  const value = values[name]
  if (value === undefined) return default_value
  const number = value.trim() === '' ? Number.NaN : Number(value)
  if (number >= min && number <= max) return number
  throw new BadOption(`--${name} must be a number from ${min} to ${max}; got "${value}".`)
}

function leakOf(value: string): LeakName {
  const found = leakNames.find((name) => name === value)
  if (found !== undefined) return found
  throw new BadOption(`--plant must be one of ${leakNames.join(', ')}; got "${value}".`)
}
