// The commands that call a Florin server, with their options. Implementations are imported when a
// command runs.

import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { eventTypes } from '../../events/event-types.ts'
import type { Shell } from '../completion.ts'
import type { ApiOptions } from './api.ts'
import type { EventsTailCommand } from './events-tail.ts'
import type { ImportStatementCommand } from './import-statement.ts'
import type { ImportCommand } from './import-transactions.ts'
import type { ListenCommand } from './listen.ts'
import type { LoginCommand } from './login.ts'
import type { LogsTailCommand } from './logs-tail.ts'
import { pageNames } from './page-names.ts'
import type { Method, RequestCommand } from './request.ts'

/** Adds a command with the options that every command has. */
type AddCommand = (parent: Command, name: string, description: string) => Command

export function addClientCommands(program: Command, add: AddCommand): void {
  const client = (parent: Command, name: string, description: string) =>
    add(parent, name, description).option(
      '--server <url>',
      'Server URL; default: FLORIN_SERVER, or the server of the last login',
    )
  const acting = (parent: Command, name: string, description: string) =>
    client(parent, name, description).option('--account <id>', 'Act for this account (acct_…)')

  client(program, 'login', 'Log in and store the session for later commands')
    .option('--email <email>', 'Email address; prompted for if omitted')
    .option('--password-stdin', 'Read the password from stdin instead of prompting for it')
    .option('--code <code>', 'Code of a second factor; prompted for if the user has one')
    .option('--key <key>', 'API key; visible in process listings, so prefer --key-stdin')
    .option('--key-stdin', 'Read an API key from stdin')
    .action(async (options: LoginCommand) => {
      const { logIn } = await import('./login.ts')
      await logIn(options)
    })

  client(program, 'logout', 'End the session and delete the stored login').action(
    async (options: ApiOptions) => {
      const { logOut } = await import('./login.ts')
      await logOut(options)
    },
  )

  for (const [method, about] of Object.entries(methods)) addRequest(acting, method as Method, about)

  function addRequest(make: AddCommand, method: Method, about: string): void {
    make(program, method.toLowerCase(), about)
      .argument('<path>', 'Path of the endpoint, such as /v1/payments')
      .option(
        '-d, --data <field>',
        fieldHelp,
        (field: string, all: string[]) => [...all, field],
        [],
      )
      .option(
        '--idempotency-key <key>',
        'Replaces the random key; requests with the same key are applied once',
      )
      .action(async (path: string, options: RequestCommand) => {
        const { request } = await import('./request.ts')
        await request(method, path, options)
      })
  }

  acting(program, 'listen', 'Forward events to a local server, signed like webhooks')
    .requiredOption(
      '--forward-to <url>',
      'URL to forward to, such as http://localhost:3000/webhooks',
    )
    .option('--events <names>', 'Only these types, such as payment.*,transaction.succeeded')
    .option('--after <sequence>', 'Start with the event after this sequence number', readCount)
    .action(async (options: ListenCommand) => {
      const { listen } = await import('./listen.ts')
      await listen(options)
    })

  const event = new Argument('<event>', 'Event type, such as payment.succeeded')
  // For completion and help only: the command validates the name itself and suggests the closest.
  event.argChoices = [...eventTypes]
  acting(program, 'trigger', 'Trigger an event in a sandbox')
    .addArgument(event)
    .action(async (name: string, options: ApiOptions) => {
      const { trigger } = await import('./trigger.ts')
      await trigger(name, options)
    })

  const imports = program.command('import').description('Import objects from a file')
  acting(imports, 'transactions', 'Create the transactions of a CSV file')
    .argument(
      '<file>',
      'CSV file, or - for stdin; its first line names the columns: amount (in minor units), ' +
        'currency, type, reference, metadata.<key>',
    )
    .option(
      '--idempotency-key <key>',
      'Replaces the key that follows from the file, to import the same file again',
    )
    .action(async (file: string, options: ImportCommand) => {
      const { importTransactions } = await import('./import-transactions.ts')
      await importTransactions(file, options)
    })

  client(imports, 'statement', 'Import a bank statement, as an admin or a platform')
    .argument('<file>', 'camt.053, camt.054, MT940, OFX or CSV, up to 10 MiB; - for stdin')
    .option('--column-map <name>', 'Saved column map, for CSV')
    .action(async (file: string, options: ImportStatementCommand) => {
      const { importStatement } = await import('./import-statement.ts')
      await importStatement(file, options)
    })

  const logs = program.command('logs').description('View the API requests of an account')
  tail(acting(logs, 'tail', 'Show the latest requests and follow new ones'), 'requests')
    .addOption(
      new Option('--status <class>', 'Only this status class').choices([
        '2xx',
        '3xx',
        '4xx',
        '5xx',
      ]),
    )
    .option('--method <method>', 'Only this HTTP method')
    .option('--path <prefix>', 'Only paths with this prefix, such as /v1/payments')
    .action(async (options: LogsTailCommand) => {
      const { tailLogs } = await import('./logs-tail.ts')
      await tailLogs(options)
    })

  const events = program.command('events').description('View the events of an account')
  tail(acting(events, 'tail', 'Show the latest events and follow new ones'), 'events')
    .option('--type <name>', 'Only this type, such as payment.succeeded or payment.*')
    .action(async (options: EventsTailCommand) => {
      const { tailEvents } = await import('./events-tail.ts')
      await tailEvents(options)
    })

  const page = new Argument('[page]', 'Page to open').default('docs')
  page.argChoices = [...pageNames]
  client(program, 'open', 'Print the URL of a page and open it in the browser')
    .addArgument(page)
    .action(async (name: string, options: ApiOptions) => {
      const { openPage } = await import('./open-page.ts')
      await openPage(name, options)
    })

  add(program, 'completion', 'Print a completion script for your shell')
    .addArgument(
      new Argument('<shell>', 'Shell to generate the script for').choices(['bash', 'zsh', 'fish']),
    )
    .action(async (shell: Shell, options: { json?: true }) => {
      const { printCompletion } = await import('../completion.ts')
      printCompletion(program, shell, options)
    })
}

const methods: Record<Method, string> = {
  GET: 'Make a GET request',
  POST: 'Make a POST request',
  PATCH: 'Make a PATCH request',
  DELETE: 'Make a DELETE request',
}

const fieldHelp =
  'name=text, name:=7500, settings.currency=EUR, {"json": 1}, @file, or @- for stdin; repeatable'

function tail(command: Command, noun: string): Command {
  return command
    .option('-n, --last <number>', `Number of recent ${noun} to show`, readCount, 10)
    .option('--no-follow', 'Exit after the recent ones')
}

/** For options that take a number. */
export function readCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
