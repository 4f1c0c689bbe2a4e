// The command line: which commands there are and what they take. What a command does is in
// commands/, loaded only when it runs, so that --help and wrong usage answer at once.

import { Command, CommanderError, Option } from 'commander'
import { explainUsage, reportFailure, UsageError } from './commands/failures.ts'
import { version } from './version.ts'

interface Common {
  json?: true
}

// EX_USAGE of BSD's sysexits: scripts can tell a slip of the hand from a command that failed.
const wrong_usage = 64

const program = new Command('florin')
  .description('A payments back end in one command.')
  .version(version, '--version', 'print the version')
  .helpOption('-h, --help', 'print this help')
  .helpCommand(false)
  .exitOverride()
  .configureOutput({ outputError: () => {} })

command('start', 'run the server, and the worker beside it')
  .option('--no-worker', 'leave the worker out; run it elsewhere with florin worker')
  .action(async (options: Common & { worker: boolean }) => {
    const { start } = await import('./commands/start.ts')
    await start(options)
  })

command('worker', 'run the background work alone')
  .addOption(new Option('--attached').hideHelp())
  .action(async (options: Common & { attached?: true }) => {
    const { runWorker } = await import('./commands/run-worker.ts')
    await runWorker(options)
  })

function command(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--json', 'answer in JSON, one object a line')
}

async function main(): Promise<void> {
  const json = process.argv.includes('--json')
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return
    const wrong = error instanceof CommanderError || error instanceof UsageError
    process.exitCode = wrong ? wrong_usage : 1
    reportFailure(error instanceof CommanderError ? explainUsage(error) : error, { json })
  }
}

await main()
