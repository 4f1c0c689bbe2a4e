// Parses the options of `npm run chaos --`.

import { parseArgs } from 'node:util'
import { type NemesisName, nemesisNames } from './nemesis/nemesis-names.ts'
import { type PlantedBugName, plantedBugNames } from './planted/planted-bugs.ts'
import { isProviderBug, type ProviderBugName, providerBugNames } from './planted/provider-bugs.ts'

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
  /** Runs on the cluster of docs/guides/high-availability.md. Each fault occurs once. */
  patroni: boolean
  /** Takes payments through the stand-in for Stripe, which fails too. */
  provider: boolean
  plant: PlantedBugName | ProviderBugName | undefined
  /** Runs every planted bug instead of the real Florin. */
  plants: boolean
  /** How many seeds to run, each for `seconds`. */
  seeds: number
  /** Keeps the history file even without a violation. */
  keep: boolean
}

/** An invalid option. The runner exits with 64 (EX_USAGE). */
export class BadOption extends Error {}

export function readOptions(args: string[]): Options {
  const { values } = parse(args)
  const names = { ...values }
  for (const name of ['standby', 'patroni'] as const) {
    if (names[name] && names.database !== undefined) {
      throw new BadOption(`--${name} starts its own database: leave --database out.`)
    }
  }
  if (names.patroni && names.standby) {
    throw new BadOption('--patroni and --standby are different databases: leave one out.')
  }
  const seconds = integer(names, 'seconds', 60, 5, 86_400)
  const plants = names.plants ?? false
  const plant = names.plant === undefined ? undefined : oneOf('plant', names.plant, plant_names)
  const provider = names.provider === true || isProviderBug(plant)
  for (const name of ['standby', 'patroni'] as const) {
    if (provider && names[name]) {
      throw new BadOption(`--${name} and --provider test different failures: leave one out.`)
    }
  }
  const instances = integer(names, 'instances', 1, 1, max_instances)
  const seeds = integer(names, 'seeds', plants ? 20 : 1, 1, 1_000)
  if (seeds > 1 && seconds > 60) {
    throw new BadOption(`--seconds must be at most 60 for each of several seeds; got "${seconds}".`)
  }
  return {
    seed: integer(names, 'seed', Math.floor(Math.random() * 1e9), 0, 2 ** 31),
    seconds,
    // Three servers that restart together on two cores acknowledge too little in a minute.
    patience: integer(names, 'patience', instances > 2 ? 120 : 0, 0, 3_600),
    clients: integer(names, 'clients', provider ? 8 : 16, 1, 256),
    nemesis: readNemesis(names.nemesis ?? defaultNemesis({ ...names, provider })),
    instances,
    database: readDatabase(names.database ?? 'embedded'),
    standby: names.standby ?? false,
    patroni: names.patroni ?? false,
    provider,
    plant,
    plants,
    seeds,
    keep: names.keep ?? false,
  }
}

// The embedded database allows 100 connections. Each server may open 35, but opens them as needed.
const max_instances = 5

// Killing servers as well would leave little time in which writes are acknowledged.
const failover_nemesis = 'fail-over,end-backends,cancel-statements,lose-replies,hold-locks'

// Each is something that can happen between two steps of a payment.
const provider_nemesis =
  'kill-server,kill-database,pause-server,reset-clients,lose-replies,end-backends,' +
  'cancel-statements,hold-locks'

interface FaultyParts {
  standby?: boolean | undefined
  patroni?: boolean | undefined
  provider: boolean
}

function defaultNemesis({ standby, patroni, provider }: FaultyParts): string {
  if (patroni) return 'switch-over,lose-primary'
  if (standby) return failover_nemesis
  return provider ? provider_nemesis : 'all'
}

/** Planted bugs have their own faults, unless others are given. */
export function isDefaultNemesis(options: Options): boolean {
  return options.nemesis.join() === readNemesis(defaultNemesis(options)).join()
}

const plant_names = [...plantedBugNames, ...providerBugNames]

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
        patroni: flag,
        provider: flag,
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
