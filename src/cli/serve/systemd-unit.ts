// Reads a systemd unit of Florin: the unit file with its drop-ins, and the settings that Florin
// gets from it. Reads the files instead of querying systemd, so that it also works before the unit
// is installed.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseEnv } from 'node:util'
import { secretNames } from '../../secret-files.ts'

export interface SystemdUnit {
  path: string
  drop_in_count: number
  /** The values of a key of [Service], in order. */
  list(key: string): string[]
  /** The value that applies; undefined if the unit does not set it. */
  last(key: string): string | undefined
}

// In the order of precedence.
const unit_folders = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
]

/** Takes the name of an installed unit or the path of a unit file. Undefined if there is none. */
export function findUnit(name_or_path: string, folders = unit_folders): SystemdUnit | undefined {
  if (name_or_path.includes('/')) {
    return existsSync(name_or_path)
      ? readUnit(name_or_path, dropInsOf([`${name_or_path}.d`]))
      : undefined
  }
  const name = name_or_path.includes('.') ? name_or_path : `${name_or_path}.service`
  // Instances of a template: florin@2.service is described by florin@.service.
  const names = [name, name.replace(/@[^@]+(\.\w+)$/, '@$1')]
  const paths = names.flatMap((one) => folders.map((folder) => join(folder, one)))
  const path = paths.find((one) => existsSync(one))
  const drop_in_folders = names.flatMap((one) => folders.map((folder) => `${join(folder, one)}.d`))
  return path === undefined ? undefined : readUnit(path, dropInsOf(drop_in_folders))
}

/** Sorted by name. A file hides those with the same name in later folders. */
function dropInsOf(folders: string[]): string[] {
  const by_name = new Map<string, string>()
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.conf'))) {
      if (!by_name.has(name)) by_name.set(name, join(folder, name))
    }
  }
  return [...by_name.keys()].sort().map((name) => by_name.get(name)!)
}

function readUnit(path: string, drop_ins: string[]): SystemdUnit {
  const values = new Map<string, string[]>()
  for (const file of [path, ...drop_ins]) {
    for (const [key, value] of serviceLines(readFileSync(file, 'utf8'))) {
      // An empty value removes the earlier ones.
      values.set(key, value === '' ? [] : [...(values.get(key) ?? []), value])
    }
  }
  const list = (key: string) => (values.get(key) ?? []).map((value) => expand(value, path))
  return { path, drop_in_count: drop_ins.length, list, last: (key) => list(key).at(-1) }
}

function serviceLines(text: string): [key: string, value: string][] {
  let section = ''
  const found: [string, string][] = []
  // A backslash at the end of a line continues it.
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue
    section = /^\[(.+)\]$/.exec(trimmed)?.[1] ?? section
    const [, key, value] = /^([A-Za-z]+)\s*=\s*(.*)$/.exec(trimmed) ?? []
    if (section === 'Service' && key !== undefined) found.push([key, value!])
  }
  return found
}

/** The specifiers that occur in paths, except %d, the folder of credentials: see `unitEnv`. */
function expand(value: string, path: string): string {
  const name = basename(path)
  const specifiers: Record<string, string> = {
    '%%': '%',
    '%C': '/var/cache',
    '%E': '/etc',
    '%L': '/var/log',
    '%N': name.replace(/\.\w+$/, ''),
    '%S': '/var/lib',
    '%T': '/tmp',
    '%n': name,
    '%t': '/run',
  }
  return value.replaceAll(/%[%A-Za-z]/g, (text) => specifiers[text] ?? text)
}

/** An EnvironmentFile= or the source of a credential. */
export interface UnitFile {
  key: 'EnvironmentFile' | 'LoadCredential'
  path: string
  /** EnvironmentFile=-path: may be missing. */
  optional: boolean
}

export function filesOf(unit: SystemdUnit): UnitFile[] {
  const environment = unit.list('EnvironmentFile').map(
    (value): UnitFile => ({
      key: 'EnvironmentFile',
      path: value.replace(/^-/, ''),
      optional: value.startsWith('-'),
    }),
  )
  const credentials = credentialsOf(unit).map(
    ([, path]): UnitFile => ({ key: 'LoadCredential', path, optional: false }),
  )
  return [...environment, ...credentials]
}

/** Names and paths. A credential without an absolute path is inherited from the system. */
function credentialsOf(unit: SystemdUnit): [name: string, path: string][] {
  return unit.list('LoadCredential').flatMap((value): [string, string][] => {
    const [, name, path] = /^([^:]+):(\/.+)$/.exec(value) ?? []
    return name === undefined ? [] : [[name, path!]]
  })
}

/** The environment that the unit gives to Florin. Files that cannot be read are left out. */
export function unitEnv(unit: SystemdUnit): Record<string, string> {
  const env: Record<string, string> = environmentOf(unit)
  for (const { key, path } of filesOf(unit)) {
    if (key === 'EnvironmentFile') Object.assign(env, readEnvironmentFile(path))
  }
  const folders = ['%d', `/run/credentials/${basename(unit.path)}`]
  for (const [name, path] of credentialsOf(unit)) {
    if ((secretNames as readonly string[]).includes(name)) env[`${name}_FILE`] ??= path
    for (const [setting, value] of Object.entries(env)) {
      if (folders.some((folder) => value === `${folder}/${name}`)) env[setting] = path
    }
  }
  return env
}

/** Environment= has assignments separated by spaces, each of which may be quoted. */
export function environmentOf(unit: SystemdUnit): Record<string, string> {
  const env: Record<string, string> = {}
  for (const value of unit.list('Environment')) {
    for (const [, quoted, single, bare] of value.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
      const [, name, text] = /^(\w+)=(.*)$/s.exec(quoted ?? single ?? bare ?? '') ?? []
      if (name !== undefined) env[name] = text!
    }
  }
  return env
}

export function readEnvironmentFile(path: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(path, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
