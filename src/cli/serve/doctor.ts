// florin doctor: checks everything that Florin needs to run, and prints how to fix each problem.

import { type Config, ConfigError, readConfig, unknownSettings } from '../../config.ts'
import { print, printJson, strong, symbols } from '../terminal.ts'
import { checkDatabase } from './check-database.ts'
import { checkEmail } from './check-email.ts'
import { checkMachine, checkNode } from './check-machine.ts'
import { checkOidc } from './check-oidc.ts'
import { checkProcessor } from './check-processor.ts'
import { checkPublicUrl, checkTls } from './check-public.ts'
import { checkTraces } from './check-traces.ts'
import { checkUnit, findOwnUnit, unitNotFound } from './check-unit.ts'
import { type Finding, fail, warn } from './finding.ts'
import { findUnit, unitEnv } from './systemd-unit.ts'

export interface DoctorCommand {
  json?: true
  /** The systemd unit to check, with its settings instead of those of this process. */
  unit?: string
}

export async function runDoctor(options: DoctorCommand): Promise<void> {
  const { mode, findings } = await collectFindings(options.unit)
  const ok = findings.every((finding) => finding.state !== 'fail')
  if (options.json) printJson({ ok, mode, checks: findings })
  else print(`\n${findings.map(toLine).join('')}\n  ${summary(findings)}\n\n`)
  if (!ok) process.exitCode = 1
}

interface Report {
  /** Null when the settings cannot be read. */
  mode: Config['mode'] | null
  findings: Finding[]
}

async function collectFindings(unit_name: string | undefined): Promise<Report> {
  const unit = unit_name === undefined ? findOwnUnit() : findUnit(unit_name)
  if (unit_name !== undefined && unit === undefined) {
    return { mode: null, findings: [checkNode(), unitNotFound(unit_name)] }
  }
  // In a service, the environment of this process is that of its unit.
  const env = unit_name !== undefined && unit !== undefined ? unitEnv(unit) : undefined
  const unknown = unknownSettings(env).map((sentence) => warn('Settings', sentence))
  const first = [checkNode(), ...unknown]
  const is_inside = unit_name === undefined
  const aboutUnit = async (config?: Config) =>
    unit === undefined ? [] : checkUnit(unit, { config, is_inside })
  try {
    const config = readConfig(env)
    const findings = [...first, ...(await aboutUnit(config)), ...(await checkAll(config))]
    return { mode: config.mode, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.faults.map((message) => fail('Settings', message))
    return { mode: null, findings: [...first, ...faults, ...(await aboutUnit())] }
  }
}

async function checkAll(config: Config): Promise<Finding[]> {
  return [
    ...(await checkMachine(config)),
    ...(await checkDatabase(config)),
    checkPublicUrl(config),
    ...checkTls(config),
    await checkEmail(config),
    await checkOidc(config),
    ...(await checkProcessor(config)),
    ...(await checkTraces(config)),
  ]
}

const check_width = 12

function toLine({ check, state, message }: Finding): string {
  const mark = `${symbols[state]} ${state.padEnd(5)}`
  return `  ${state === 'ok' ? mark : strong(mark)} ${check.padEnd(check_width)}${message}\n`
}

function summary(findings: Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
  const [fails, warnings] = [count('fail'), count('warn')]
  if (fails > 0)
    return `${fails} of ${findings.length} checks failed. Fix them before you start Florin.`
  if (warnings > 0)
    return `Florin can run, with ${warnings === 1 ? '1 warning' : `${warnings} warnings`}.`
  return 'All checks passed.'
}
