// The commands that are clients of a Florin: what there is and what they take. What they do is
// loaded when they run.

import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { eventTypes } from '../events/event-types.ts'
import type { ApiOptions } from './api.ts'
import type { Shell } from './completion.ts'
import type { EventsTailCommand } from './events-tail.ts'
import type { ListenCommand } from './listen.ts'
import type { LoginCommand } from './login.ts'
import type { LogsTailCommand } from './logs-tail.ts'
import { pageNames } from './page-names.ts'
import type { Method, RequestCommand } from './request.ts'

/** Makes a command with the options that every command has. */
export type AddCommand = (parent: Command, name: string, description: string) => Command

export function addClientCommands(program: Command, add: AddCommand): void {
  const client = (parent: Command, name: string, description: string) =>
    add(parent, name, description).option(
      '--server <url>',
      'which Florin; else FLORIN_SERVER, or the last log-in',
    )
  const acting = (parent: Command, name: string, description: string) =>
    client(parent, name, description).option('--account <id>', 'act for this account: acct_…')

  client(program, 'login', 'log in, and stay so for later commands')
    .option('--email <email>', 'who; asked for on a terminal')
    .option('--password-stdin', 'read the password from stdin; on a terminal it is asked for')
    .option('--key <key>', 'an API key; visible in the list of processes: better the next')
    .option('--key-stdin', 'read an API key from stdin')
    .action(async (options: LoginCommand) => {
      const { logIn } = await import('./login.ts')
      await logIn(options)
    })

  client(program, 'logout', 'end the session, and forget it').action(
    async (options: ApiOptions) => {
      const { logOut } = await import('./login.ts')
      await logOut(options)
    },
  )

  for (const [method, about] of Object.entries(methods)) addRequest(acting, method as Method, about)

  function addRequest(make: AddCommand, method: Method, about: string): void {
    make(program, method.toLowerCase(), about)
      .argument('<path>', 'as /v1/payments')
      .option(
        '-d, --data <field>',
        fieldHelp,
        (field: string, all: string[]) => [...all, field],
        [],
      )
      .option('--idempotency-key <key>', 'instead of a random one: the same key acts once')
      .action(async (path: string, options: RequestCommand) => {
        const { request } = await import('./request.ts')
        await request(method, path, options)
      })
  }

  acting(program, 'listen', 'forward events to a server on this machine, signed as webhooks')
    .requiredOption('--forward-to <url>', 'where to: http://localhost:3000/webhooks')
    .option('--events <names>', 'only these: payment.*,transaction.succeeded')
    .option('--after <sequence>', 'begin with the event after this number', readCount)
    .action(async (options: ListenCommand) => {
      const { listen } = await import('./listen.ts')
      await listen(options)
    })

  const event = new Argument('<event>', 'as payment.succeeded')
  // For completion and the help alone: the command itself says which name is the nearest.
  event.argChoices = [...eventTypes]
  acting(program, 'trigger', 'make an event happen in a sandbox')
    .addArgument(event)
    .action(async (name: string, options: ApiOptions) => {
      const { trigger } = await import('./trigger.ts')
      await trigger(name, options)
    })

  const logs = program.command('logs').description('what was asked of the API for an account')
  tail(acting(logs, 'tail', 'show the latest requests, and follow'), 'requests')
    .addOption(new Option('--status <class>', 'only these').choices(['2xx', '3xx', '4xx', '5xx']))
    .option('--method <method>', 'only requests with this method')
    .option('--path <prefix>', 'only paths that begin so: /v1/payments')
    .action(async (options: LogsTailCommand) => {
      const { tailLogs } = await import('./logs-tail.ts')
      await tailLogs(options)
    })

  const events = program.command('events').description('what happened to an account')
  tail(acting(events, 'tail', 'show the latest events, and follow'), 'events')
    .option('--type <name>', 'only these: payment.succeeded, payment.*')
    .action(async (options: EventsTailCommand) => {
      const { tailEvents } = await import('./events-tail.ts')
      await tailEvents(options)
    })

  const page = new Argument('[page]', 'which page').default('docs')
  page.argChoices = [...pageNames]
  client(program, 'open', 'print the address of a page, and open it in the browser')
    .addArgument(page)
    .action(async (name: string, options: ApiOptions) => {
      const { openPage } = await import('./open-page.ts')
      await openPage(name, options)
    })

  add(program, 'completion', 'print a script that completes commands in your shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell, options: { json?: true }) => {
      const { printCompletion } = await import('./completion.ts')
      printCompletion(program, shell, options)
    })
}

const methods: Record<Method, string> = {
  GET: 'ask the API for something',
  POST: 'make something with the API',
  PATCH: 'change something with the API',
  DELETE: 'end something with the API',
}

const fieldHelp =
  'name=text, name:=7500, settings.currency=EUR, {"json": 1}, @file, or @- for stdin; repeatable'

function tail(command: Command, noun: string): Command {
  return command
    .option('-n, --last <number>', `how many ${noun} to begin with`, readCount, 10)
    .option('--no-follow', 'end after these')
}

function readCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
