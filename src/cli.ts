// The command line: all commands and their options. The implementation of a command, in cli/,
// is imported only when it runs, so --help and usage errors are printed without delay.

import { Command, CommanderError, Option } from 'commander'
import { addClientCommands, readCount } from './cli/client/client-commands.ts'
import type { McpCommand } from './cli/client/mcp.ts'
import { isPipeClosed, watchPipes } from './cli/closed-pipe.ts'
import { explainUsage, reportFailure, UsageError } from './cli/failures.ts'
import type { AdminCreateCommand } from './cli/serve/admin-create.ts'
import type { ResetCommand } from './cli/serve/admin-reset.ts'
import type { DistributeCommand } from './cli/serve/distribute.ts'
import type { DoctorCommand } from './cli/serve/doctor.ts'
import type { HealthCommand } from './cli/serve/health.ts'
import type { SeedCommand } from './cli/serve/seed.ts'
import { settingNames } from './config.ts'
import { traceSettingNames } from './trace-settings.ts'
import { version } from './version.ts'

interface CommonOptions {
  json?: true
}

// EX_USAGE of BSD's sysexits.h: lets scripts distinguish a usage error from a failed command.
const wrong_usage = 64

const program = new Command('florin')
  .description('Florin, a self-hosted payments back end.')
  .version(version, '--version', 'Print the version')
  .helpOption('-h, --help', 'Print this help')
  .helpCommand('help [command]', 'Print help for a command')
  .exitOverride()
  .configureOutput({ outputError: () => {} })

command(program, 'start', 'Start the server and a background worker')
  .option('--no-worker', 'Do not start a worker; run one separately with "florin worker"')
  .addHelpText(
    'after',
    `\nSettings are environment variables, described in docs/reference/settings.md:\n${settings()}`,
  )
  .action(async (options: CommonOptions & { worker: boolean }) => {
    const { start } = await import('./cli/serve/start.ts')
    const { startServer } = await import('./server.ts')
    await start(options, startServer)
  })

command(program, 'worker', 'Start a background worker without a server')
  .addOption(new Option('--attached').hideHelp())
  .action(async (options: CommonOptions & { attached?: true }) => {
    const { runWorker } = await import('./cli/serve/run-worker.ts')
    const { startWorker } = await import('./worker.ts')
    await runWorker(options, startWorker)
  })

command(program, 'migrate', 'Migrate the database schema to this version')
  .option('--finish', 'Finish an upgrade: no process of the previous version is left')
  .action(async (options: CommonOptions & { finish?: true }) => {
    const { migrateDatabase } = await import('./cli/serve/migrate.ts')
    await migrateDatabase(options)
  })

command(program, 'distribute', 'Distribute the tables over the servers of a Citus cluster')
  .option('--shards <number>', 'Shards per table, on first use; the default is 32')
  .action(async (options: DistributeCommand) => {
    const { distributeDatabase } = await import('./cli/serve/distribute.ts')
    await distributeDatabase(options)
  })

const admin = program.command('admin').description('Manage admins and platform users')

command(admin, 'create', 'Create an admin or a platform user')
  .option('--email <email>', 'Email address; prompted for if omitted')
  .option(
    '--password <password>',
    'Password; visible in process listings, so prefer --password-stdin',
  )
  .option('--password-stdin', 'Read the password from stdin instead of prompting for it')
  .option('--name <name>', 'Name of the person or service')
  .addOption(roleOption())
  .action(async (options: AdminCreateCommand) => {
    const { createAdminCommand } = await import('./cli/serve/admin-create.ts')
    await createAdminCommand(options)
  })

command(admin, 'reset-link', 'Print a link with which a user sets a new password')
  .requiredOption('--email <email>', 'Email address of the user')
  .action(async (options: ResetCommand) => {
    const { createResetLinkCommand } = await import('./cli/serve/admin-reset.ts')
    await createResetLinkCommand(options)
  })

command(admin, 'reset-factors', 'Remove the second factors of a user who has lost them')
  .requiredOption('--email <email>', 'Email address of the user')
  .action(async (options: ResetCommand) => {
    const { resetFactorsCommand } = await import('./cli/serve/admin-reset.ts')
    await resetFactorsCommand(options)
  })

const clock = program.command('clock').description('Control the sandbox clock')

command(clock, 'advance', 'Advance the sandbox clock and process everything that becomes due')
  .argument('<time>', 'Duration: 90s, 45m, 12h, 3d or 2w')
  .action(async (time: string, options: CommonOptions) => {
    const { advanceClockCommand } = await import('./cli/serve/clock-advance.ts')
    await advanceClockCommand(time, options)
  })

command(
  program,
  'verify',
  'Recompute all balances from their postings; exits with 1 on a difference',
).action(async (options: CommonOptions) => {
  const { verify } = await import('./cli/serve/verify.ts')
  await verify(options)
})

command(
  program,
  'reconcile',
  'Compare the ledger with payment providers and the bank; exits with 1 on a difference',
)
  .option('--no-fetch', 'Compare with the stored balances instead of fetching new entries')
  .action(async (options: CommonOptions & { fetch: boolean }) => {
    const { reconcileCommand } = await import('./cli/serve/reconcile.ts')
    await reconcileCommand(options)
  })

command(program, 'backup', 'Back up the embedded database to a new folder, even while Florin runs')
  .argument('<folder>', 'Folder to create; it appears only when the backup is complete')
  .action(async (folder: string, options: CommonOptions) => {
    const { backUp } = await import('./cli/serve/backup.ts')
    await backUp(folder, options)
  })

command(
  program,
  'restore',
  'Restore a backup into a FLORIN_DATA directory that has no database yet',
)
  .argument('<folder>', 'Folder created by "florin backup"')
  .action(async (folder: string, options: CommonOptions) => {
    const { restore } = await import('./cli/serve/restore.ts')
    await restore(folder, options)
  })

command(program, 'seed', 'Fill a sandbox with a year of demo data')
  .option('--accounts <number>', 'Number of accounts, each with an owner', '20')
  .option('--transactions <number>', 'Total number of transactions', '5000')
  .option('--seed <text>', 'Random seed; the same text produces the same names and amounts')
  .action(async (options: SeedCommand) => {
    const { seed } = await import('./cli/serve/seed.ts')
    await seed(options)
  })

command(
  program,
  'status',
  'Show the state of the server and database; exits with 1 if not ready',
).action(async (options: CommonOptions) => {
  const { showStatus } = await import('./cli/serve/status.ts')
  await showStatus(options)
})

command(program, 'health', 'Check whether the server is ready; exits with 1 if not')
  .option('--wait <seconds>', 'Wait up to this long until it is ready', readCount, 0)
  .action(async (options: HealthCommand) => {
    const { checkHealth } = await import('./cli/serve/health.ts')
    await checkHealth(options)
  })

command(program, 'doctor', 'Check for problems that would prevent Florin from running')
  .option('--unit <unit>', 'Check this systemd unit with its settings: a name, or a path of a file')
  .action(async (options: DoctorCommand) => {
    const { runDoctor } = await import('./cli/serve/doctor.ts')
    await runDoctor(options)
  })

// The commands above open the database; the commands below are clients of a server.
const database_commands = new Set(program.commands.map((one) => one.name()))

command(program, 'mcp', 'Serve the API as tools for AI models (MCP), over stdin and stdout')
  .option('--url <url>', 'Server URL; default: FLORIN_SERVER, or the local address')
  .option('--key <key>', 'API key; prefer FLORIN_API_KEY, which process listings do not show')
  .option('--token <token>', 'Access token of a user, instead of an API key')
  .option('--account <id>', 'Account to act for, as an admin or platform user')
  .option('--allow-writes', 'Also offer tools that make changes; read-only otherwise')
  .action(async (options: McpCommand) => {
    const { runMcp } = await import('./cli/client/mcp.ts')
    await runMcp(options)
  })

addClientCommands(program, command)

function command(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'Print JSON, one object per line')
}

function settings(): string {
  const names = ['HOST', 'PORT', 'DATABASE_URL', ...settingNames, ...traceSettingNames]
  return names.map((name) => `  ${name}\n`).join('')
}

function roleOption(): Option {
  return new Option('--role <role>', 'admin operates the service; platform acts for many accounts')
    .choices(['admin', 'platform'])
    .default('admin')
}

async function main(): Promise<void> {
  watchPipes()
  try {
    await program.parseAsync()
  } catch (error) {
    // The closed pipe is the only cause of this error.
    if (isPipeClosed()) process.exit()
    if (error instanceof CommanderError) return endOfParsing(error)
    // The launcher explains an incomplete installation.
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') throw error
    fail(error instanceof UsageError ? wrong_usage : 1, error)
  }
}

function endOfParsing(error: CommanderError): void {
  // Commander also throws for --help and --version, and after printing help for a missing command.
  if (error.exitCode === 0) return
  if (error.code === 'commander.help') process.exit(wrong_usage)
  fail(wrong_usage, explainUsage(error, commandPath(program, process.argv.slice(2))))
}

/** The longest prefix that names a command, such as `florin admin create`. */
function commandPath({ commands }: Command, [word, ...rest]: string[]): string {
  const found = commands.find((one) => one.name() === word)
  return found === undefined
    ? 'florin'
    : commandPath(found, rest).replace('florin', `florin ${word}`)
}

function fail(code: number, error: unknown): never {
  const opens_database = database_commands.has(process.argv[2] ?? '')
  reportFailure(error, { json: process.argv.includes('--json'), opens_database })
  process.exit(code)
}

await main()
