// Parses the options of `npm run chaos --`.

import { parseArgs } from 'node:util'
import { type NemesisName, nemesisNames } from './nemesis/nemesis-names.ts'
import { type PlantedBugName, plantedBugNames } from './planted/planted-bugs.ts'

export interface Options {
  seed: number
  seconds: number
  /** Seconds by which a run with too little coverage may be extended, round by round. */
  patience: number
  clients: number
  nemesis: NemesisName[]
  instances: number
  /** `embedded`, or the URL of a PostgreSQL server on which the run may create a database. */
  database: string
  /** Runs on a primary with a synchronous standby, and fails over. */
  standby: boolean
  plant: PlantedBugName | undefined
  /** Runs every planted bug, with this many seeds each, instead of the real Florin. */
  plants: boolean
  seeds: number
  /** Keeps the history file even without a violation. */
  keep: boolean
}

/** An invalid option. The runner exits with 64 (EX_USAGE). */
export class BadOption extends Error {}

export function readOptions(args: string[]): Options {
  const { values } = parse(args)
  const names = { ...values }
  if (names.standby && names.database !== undefined) {
    throw new BadOption('--standby starts its own database: leave --database out.')
  }
  const seconds = integer(names, 'seconds', 60, 5, 86_400)
  return {
    seed: integer(names, 'seed', Math.floor(Math.random() * 1e9), 0, 2 ** 31),
    seconds,
    patience: integer(names, 'patience', 0, 0, 3_600),
    clients: integer(names, 'clients', 16, 1, 256),
    nemesis: readNemesis(names.nemesis ?? (names.standby ? failover_nemesis : 'all')),
    instances: integer(names, 'instances', 1, 1, 2),
    database: readDatabase(names.database ?? 'embedded'),
    standby: names.standby ?? false,
    plant: names.plant === undefined ? undefined : oneOf('plant', names.plant, plantedBugNames),
    plants: names.plants ?? false,
    seeds: integer(names, 'seeds', 20, 1, 1_000),
    keep: names.keep ?? false,
  }
}

// Killing servers as well would leave little time in which writes are acknowledged.
const failover_nemesis = 'fail-over,end-backends,cancel-statements,lose-replies,hold-locks'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        seed: text,
        seconds: text,
        patience: text,
        clients: text,
        nemesis: text,
        instances: text,
        database: text,
        standby: flag,
        plant: text,
        plants: flag,
        seeds: text,
        keep: flag,
      },
    })
  } catch (error) {
    throw new BadOption((error as Error).message)
  }
}

type ParsedOptions = Record<string, string | boolean | undefined>

function integer(
  options: ParsedOptions,
  name: string,
  default_value: number,
  min: number,
  max: number,
): number {
  const value = options[name]
  if (value === undefined) return default_value
  const number = Number(value)
  if (Number.isInteger(number) && number >= min && number <= max) return number
  throw new BadOption(`--${name} must be a whole number from ${min} to ${max}; got "${value}".`)
}

function oneOf<Name extends string>(name: string, value: string, known: readonly Name[]): Name {
  const found = known.find((one) => one === value)
  if (found !== undefined) return found
  throw new BadOption(`--${name} must be one of ${known.join(', ')}; got "${value}".`)
}

function readNemesis(value: string): NemesisName[] {
  if (value === 'all') return [...nemesisNames]
  if (value === 'none') return []
  return value.split(',').map((name) => oneOf('nemesis', name.trim(), nemesisNames))
}

function readDatabase(value: string): string {
  if (value === 'embedded' || /^postgres(ql)?:\/\//.test(value)) return value
  throw new BadOption(
    `--database must be embedded, or a URL that starts with postgres://; got "${value}".`,
  )
}
