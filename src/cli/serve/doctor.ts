// florin doctor: checks everything that Florin needs to run, and prints how to fix each problem.

import { type Config, ConfigError, readConfig, unknownSettings } from '../../config.ts'
import { print, printJson, strong, symbols } from '../terminal.ts'
import { checkDatabase } from './check-database.ts'
import { checkEmail } from './check-email.ts'
import { checkMachine, checkNode } from './check-machine.ts'
import { checkOidc } from './check-oidc.ts'
import { checkProcessor } from './check-processor.ts'
import { checkPublicUrl, checkTls } from './check-public.ts'
import { type Finding, warn } from './finding.ts'

export async function runDoctor(options: { json?: true }): Promise<void> {
  const { mode, findings } = await collectFindings()
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

async function collectFindings(): Promise<Report> {
  const unknown = unknownSettings().map((sentence) => warn('Settings', sentence))
  try {
    const config = readConfig()
    const findings = [checkNode(), ...unknown, ...(await checkAll(config))]
    return { mode: config.mode, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const faults = error.faults.map((message): Finding => {
      return { check: 'Settings', state: 'fail', message }
    })
    return { mode: null, findings: [checkNode(), ...unknown, ...faults] }
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
