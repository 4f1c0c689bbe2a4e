// Checks of florin doctor for a systemd unit: settings with which systemd does not start Florin,
// stops it too early, or shows its secrets.

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { canReach, listUsers } from '../../embedded-postgres/system-users.ts'
import { secretNames } from '../../secret-files.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import {
  environmentOf,
  filesOf,
  findUnit,
  readEnvironmentFile,
  type SystemdUnit,
  type UnitFile,
} from './systemd-unit.ts'

const check = 'Unit'

interface UnitContext {
  /** Undefined if the settings cannot be read. */
  config: Config | undefined
  /** Whether this process runs in the service, where files of root were read and are hidden. */
  is_inside: boolean
}

export async function checkUnit(
  unit: SystemdUnit,
  { config, is_inside }: UnitContext,
): Promise<Finding[]> {
  const problems = [
    ...(await checkProgram(unit)),
    ...checkStop(unit),
    ...checkReadiness(unit),
    ...(is_inside ? [] : filesOf(unit).flatMap((file) => checkFile(file))),
    ...checkEnvironment(unit),
    ...checkHardening(unit),
    ...(config === undefined ? [] : [...checkWrites(unit, config), ...checkPort(unit, config)]),
  ]
  if (problems.length > 0) return problems
  const drop_ins = unit.drop_in_count === 1 ? '1 drop-in' : `${unit.drop_in_count} drop-ins`
  return [ok(check, `${unit.path}, ${drop_ins}`)]
}

/** The unit of Florin that this process runs in, such as in an ExecStartPre= of it. */
export function findOwnUnit(): SystemdUnit | undefined {
  const file = '/proc/self/cgroup'
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const name = /\/([^/\n]+\.service)$/m.exec(text)?.[1]
  const unit = name === undefined ? undefined : findUnit(name)
  return unit?.last('ExecStart')?.includes('florin') ? unit : undefined
}

export function unitNotFound(name: string): Finding {
  const advice = 'Copy deploy/florin.service to /etc/systemd/system, or pass the path of a file.'
  return fail(check, `There is no unit ${name}. ${advice}`)
}

async function checkProgram(unit: SystemdUnit): Promise<Finding[]> {
  const found: Finding[] = []
  const command = unit.last('ExecStart')
  if (command === undefined) return [fail(check, `${unit.path} has no ExecStart=.`)]
  // Prefixes such as - and ! change how systemd runs it.
  const words = /^"([^"]*)"|^'([^']*)'|^(\S+)/.exec(command.replace(/^[-@:+!|]+/, ''))
  const program = words?.[1] ?? words?.[2] ?? words?.[3] ?? ''
  const folder = unit.last('WorkingDirectory')?.replace(/^-/, '')
  if (!isExecutable(program)) {
    found.push(fail(check, `ExecStart=: ${program} is not an executable file. Run npm ci there.`))
  }
  if (folder?.startsWith('/') && !existsSync(folder)) {
    found.push(fail(check, `WorkingDirectory=: ${folder} does not exist.`))
  }
  if (!isTrue(unit.last('DynamicUser'))) {
    const paths = [program, folder].filter((path) => path?.startsWith('/') && existsSync(path))
    found.push(...(await checkUser(unit, paths as string[])))
  }
  return found
}

async function checkUser(unit: SystemdUnit, paths: string[]): Promise<Finding[]> {
  const name = unit.last('User') ?? 'root'
  if (name === 'root' || name === '0') {
    return [warn(check, 'Florin runs as root. Set User= to a user that only Florin uses.')]
  }
  const user = (await listUsers()).find((one) => one.name === name || String(one.uid) === name)
  if (user === undefined) {
    const command = `useradd --system --shell /usr/sbin/nologin ${name}`
    return [fail(check, `User=: there is no user ${name}. Create it: ${command}`)]
  }
  const found: Finding[] = []
  for (const path of paths) {
    if (await canReach(path, user)) continue
    found.push(fail(check, `The user ${name} cannot read ${path}. Change its permissions.`))
  }
  return found
}

// Florin exits within this time.
const stop_s = 10

function checkStop(unit: SystemdUnit): Finding[] {
  const found: Finding[] = []
  const mode = unit.last('KillMode') ?? 'control-group'
  if (mode !== 'mixed') {
    const effect =
      mode === 'control-group'
        ? 'stops the worker and the embedded database before the last response'
        : 'leaves processes behind'
    found.push(warn(check, `KillMode=${mode} ${effect}. Set KillMode=mixed.`))
  }
  const text = unit.last('TimeoutStopSec') ?? unit.last('TimeoutSec')
  const timeout_s = text === undefined ? undefined : secondsOf(text)
  if (timeout_s !== undefined && timeout_s < stop_s) {
    const rule = `must be at least ${stop_s} s: Florin finishes requests in progress`
    found.push(warn(check, `TimeoutStopSec= ${rule}; got ${text}.`))
  }
  const restart = unit.last('Restart') ?? 'no'
  if (!['always', 'on-failure'].includes(restart)) {
    found.push(
      warn(check, `Restart=${restart} leaves Florin down after a crash. Set it to always.`),
    )
  }
  return found
}

function checkReadiness(unit: SystemdUnit): Finding[] {
  const type = unit.last('Type') ?? 'simple'
  if (type === 'forking' || type === 'oneshot') {
    return [fail(check, `Type=${type} does not fit: Florin stays in the foreground. Use notify.`)]
  }
  if (!type.startsWith('notify')) return []
  const access = unit.last('NotifyAccess') ?? 'main'
  if (access === 'all') return []
  const effect = 'so a start never completes. Set NotifyAccess=all.'
  return [fail(check, `NotifyAccess=${access} ignores the child process that notifies, ${effect}`)]
}

function checkFile({ key, path, optional }: UnitFile): Finding[] {
  if (!existsSync(path)) {
    if (optional) return []
    // Other users cannot look into a folder of root.
    return process.getuid?.() === 0
      ? [fail(check, `${key}=: ${path} does not exist, so a start fails.`)]
      : [warn(check, `${key}=: this user does not see ${path}. Run florin doctor as root.`)]
  }
  const has_secrets = key === 'LoadCredential' || secretsIn(readEnvironmentFile(path)).length > 0
  if (has_secrets && (statSync(path).mode & 0o007) !== 0) {
    return [warn(check, `${key}=: all users can read ${path}. Run: chmod 600 ${path}`)]
  }
  return isReadable(path) || !has_secrets
    ? []
    : [warn(check, `${key}=: this user cannot read ${path}. Run florin doctor as root.`)]
}

function checkEnvironment(unit: SystemdUnit): Finding[] {
  const advice = 'which systemctl shows to all users. Use LoadCredential=.'
  return secretsIn(environmentOf(unit)).map((name) =>
    warn(check, `Environment= contains ${name}, ${advice}`),
  )
}

function secretsIn(env: Record<string, string>): string[] {
  return secretNames.filter((name) => env[name] !== undefined)
}

function checkHardening(unit: SystemdUnit): Finding[] {
  const found: Finding[] = []
  if (isTrue(unit.last('MemoryDenyWriteExecute'))) {
    const reason = 'Node.js compiles JavaScript at run time'
    found.push(fail(check, `MemoryDenyWriteExecute=yes: ${reason} and does not start. Remove it.`))
  }
  if (!isTrue(unit.last('NoNewPrivileges')) || unit.last('ProtectSystem') !== 'strict') {
    const wanted = 'NoNewPrivileges=yes and ProtectSystem=strict'
    found.push(warn(check, `Without ${wanted}, a flaw in Florin endangers the whole machine.`))
  }
  return found
}

const folder_keys = {
  StateDirectory: '/var/lib',
  CacheDirectory: '/var/cache',
  LogsDirectory: '/var/log',
  RuntimeDirectory: '/run',
}

/** Whether the embedded database can write to its data directory. */
function checkWrites(unit: SystemdUnit, { database_url, data_path }: Config): Finding[] {
  if (database_url !== undefined || unit.last('ProtectSystem') !== 'strict') return []
  const own = Object.entries(folder_keys).flatMap(([key, parent]) =>
    wordsOf(unit, key).map((name) => resolve(parent, name.split(':')[0]!)),
  )
  const others = ['ReadWritePaths', 'BindPaths'].flatMap((key) =>
    wordsOf(unit, key).map(
      (path) =>
        path
          .replace(/^[-+]+/, '')
          .split(':')
          .at(-1)!,
    ),
  )
  const isInside = (folder: string) => data_path === folder || data_path.startsWith(`${folder}/`)
  if ([...own, ...others].some(isInside)) return []
  const advice = 'Set StateDirectory=florin and FLORIN_DATA=/var/lib/florin.'
  return [fail(check, `ProtectSystem=strict makes ${data_path} read-only. ${advice}`)]
}

function checkPort(unit: SystemdUnit, { port }: Config): Finding[] {
  const user = unit.last('User') ?? 'root'
  const capabilities = unit.list('AmbientCapabilities').join(' ')
  if (port === 0 || port >= 1024 || user === 'root') return []
  if (capabilities.includes('CAP_NET_BIND_SERVICE')) return []
  const advice = 'Set AmbientCapabilities= and CapabilityBoundingSet= to CAP_NET_BIND_SERVICE.'
  return [fail(check, `The user ${user} may not listen on port ${port}. ${advice}`)]
}

function wordsOf(unit: SystemdUnit, key: string): string[] {
  return unit.list(key).flatMap((value) => value.split(/\s+/))
}

function isTrue(value: string | undefined): boolean {
  return /^(yes|true|on|1)$/i.test(value ?? '')
}

function isExecutable(path: string): boolean {
  return path.startsWith('/') && statSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? canAccess(path, constants.X_OK)
    : false
}

function isReadable(path: string): boolean {
  return canAccess(path, constants.R_OK)
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

const unit_seconds: Record<string, number> = { ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3_600 }

/** Such as "15", "1min 30s" or "infinity"; undefined if it has units that are not in the table. */
function secondsOf(text: string): number | undefined {
  if (text === 'infinity' || text === '0') return Number.POSITIVE_INFINITY
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)]
  const seconds = parts.map(([, number, name]) => Number(number) * unit_seconds[name || 's']!)
  const sum = seconds.reduce((all, one) => all + one, 0)
  return parts.length === 0 || Number.isNaN(sum) ? undefined : sum
}
