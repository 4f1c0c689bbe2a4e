// The command line: which commands there are and what they take. What a command does is in
// commands/, loaded only when it runs, so that --help and wrong usage answer at once.

import { Command, CommanderError, Option } from 'commander'
import type { AdminCreateCommand } from './commands/admin-create.ts'
import { addClientCommands } from './commands/client-commands.ts'
import { isPipeClosed, watchPipes } from './commands/closed-pipe.ts'
import { explainUsage, reportFailure, UsageError } from './commands/failures.ts'
import type { McpCommand } from './commands/mcp.ts'
import type { SeedCommand } from './commands/seed.ts'
import { settingNames } from './config.ts'
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
  .helpCommand('help [command]', 'print the help of a command')
  .exitOverride()
  .configureOutput({ outputError: () => {} })

command(program, 'start', 'run the server, and the worker beside it')
  .option('--no-worker', 'leave the worker out; florin worker runs it elsewhere')
  .addHelpText('after', `\nSettings come from the environment:\n${settings()}`)
  .action(async (options: Common & { worker: boolean }) => {
    const { start } = await import('./commands/start.ts')
    const { startServer } = await import('./server.ts')
    await start(options, startServer)
  })

command(program, 'worker', 'run the background work alone')
  .addOption(new Option('--attached').hideHelp())
  .action(async (options: Common & { attached?: true }) => {
    const { runWorker } = await import('./commands/run-worker.ts')
    const { startWorker } = await import('./worker.ts')
    await runWorker(options, startWorker)
  })

command(program, 'migrate', "bring the database to this version's schema").action(
  async (options: Common) => {
    const { migrateDatabase } = await import('./commands/migrate.ts')
    await migrateDatabase(options)
  },
)

const admin = program.command('admin').description('those who run the service')

command(admin, 'create', 'make an admin, or a platform user')
  .option('--email <email>', 'who; asked for on a terminal')
  .option('--password <password>', 'visible in the list of processes: better one of the next two')
  .option('--password-stdin', 'read the password from stdin; on a terminal it is asked for')
  .option('--name <name>', "the person's or the server's name")
  .addOption(roleOption())
  .action(async (options: AdminCreateCommand) => {
    const { createAdminByHand } = await import('./commands/admin-create.ts')
    await createAdminByHand(options)
  })

const clock = program.command('clock').description("the sandbox's clock")

command(clock, 'advance', 'take business time ahead, and settle what becomes due by it')
  .argument('<time>', 'how far: 90s, 45m, 12h, 3d, 2w')
  .action(async (time: string, options: Common) => {
    const { advanceClockByHand } = await import('./commands/clock-advance.ts')
    await advanceClockByHand(time, options)
  })

command(program, 'verify', 'rebuild all books from their postings; 1 if anything differs').action(
  async (options: Common) => {
    const { verify } = await import('./commands/verify.ts')
    await verify(options)
  },
)

command(program, 'backup', 'copy the embedded database into a new folder, also while it serves')
  .argument('<folder>', 'the folder to make; whole when it is there')
  .action(async (folder: string, options: Common) => {
    const { backUp } = await import('./commands/backup.ts')
    await backUp(folder, options)
  })

command(program, 'restore', 'make the embedded database of an empty FLORIN_DATA from a backup')
  .argument('<folder>', 'a folder that florin backup made')
  .action(async (folder: string, options: Common) => {
    const { restore } = await import('./commands/restore.ts')
    await restore(folder, options)
  })

command(program, 'seed', 'fill a sandbox with a year of believable business')
  .option('--accounts <number>', 'how many accounts, each with an owner', '20')
  .option('--transactions <number>', 'how many transactions in all', '5000')
  .option('--seed <text>', 'the same text gives the same names and amounts')
  .action(async (options: SeedCommand) => {
    const { seed } = await import('./commands/seed.ts')
    await seed(options)
  })

command(program, 'status', 'show what runs, and with which data; 1 if it is not ready').action(
  async (options: Common) => {
    const { showStatus } = await import('./commands/status.ts')
    await showStatus(options)
  },
)

command(program, 'doctor', 'look for everything that would keep Florin from serving').action(
  async (options: Common) => {
    const { examine } = await import('./commands/doctor.ts')
    await examine(options)
  },
)

// Those above work on the database itself; those below ask a server.
const opening = new Set(program.commands.map((one) => one.name()))

command(program, 'mcp', 'offer the API to a model as tools, over stdin and stdout')
  .option('--url <url>', 'where Florin runs; else FLORIN_SERVER, or where it would listen here')
  .option('--key <key>', 'an API key; better in FLORIN_API_KEY, where no list of processes has it')
  .option('--token <token>', 'an access token of a person, in place of a key')
  .option('--account <id>', 'the account that admins and platforms act for')
  .option('--allow-writes', 'also offer what changes something; otherwise it only reads')
  .action(async (options: McpCommand) => {
    const { runMcp } = await import('./commands/mcp.ts')
    await runMcp(options)
  })

addClientCommands(program, command)

function command(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--json', 'response in JSON, one object a line')
}

function settings(): string {
  return ['HOST', 'PORT', 'DATABASE_URL', ...settingNames].map((name) => `  ${name}\n`).join('')
}

function roleOption(): Option {
  return new Option('--role <role>', 'admin runs the service, platform acts for many accounts')
    .choices(['admin', 'platform'])
    .default('admin')
}

async function main(): Promise<void> {
  watchPipes()
  try {
    await program.parseAsync()
  } catch (error) {
    // It was interrupted for that alone.
    if (isPipeClosed()) process.exit()
    if (error instanceof CommanderError) return endOfParsing(error)
    fail(error instanceof UsageError ? wrong_usage : 1, error)
  }
}

function endOfParsing(error: CommanderError): void {
  // --help and --version end this way too; so does a missing command, after printing the help.
  if (error.exitCode === 0) return
  if (error.code === 'commander.help') process.exit(wrong_usage)
  fail(wrong_usage, explainUsage(error, wordsOf(program, process.argv.slice(2))))
}

/** As far as they name a command, such as `florin admin create`: whose help is the next to read. */
function wordsOf({ commands }: Command, [word, ...rest]: string[]): string {
  const found = commands.find((one) => one.name() === word)
  return found === undefined ? 'florin' : wordsOf(found, rest).replace('florin', `florin ${word}`)
}

function fail(code: number, error: unknown): never {
  const opens_database = opening.has(process.argv[2] ?? '')
  reportFailure(error, { json: process.argv.includes('--json'), opens_database })
  process.exit(code)
}

await main()
