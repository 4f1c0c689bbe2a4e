// Prints one class per noun with one method per operation.

import { nameOf } from './method-names.ts'
import { isText, type Operation } from './openapi.ts'
import { head, isNumbered, paginationOf, type Shapes, shapesOf } from './print-schemas.ts'
import { printDoc } from './print-type.ts'

export function printResources(operations: Operation[]): string {
  const resources = Map.groupBy(operations, ({ id }) => nameOf(id).resource)
  const classes = [...resources].map(([name, members]) => printClass(name, members))
  const text = [...classes, printAll([...resources.keys()])].join('\n')
  return [head, printImports(text, operations), text].join('\n')
}

const className = (resource: string) => `${resource[0]!.toUpperCase()}${resource.slice(1)}Calls`

function printClass(resource: string, operations: Operation[]): string {
  const methods = operations.flatMap((operation) => printMethods(operation))
  return [
    `export class ${className(resource)} {`,
    '  readonly #transport: Transport',
    '',
    '  constructor(transport: Transport) {',
    '    this.#transport = transport',
    '  }',
    ...methods.map((method) => `\n${method}`),
    '}',
    '',
  ].join('\n')
}

/** The base class of the client, with every noun as a property. */
function printAll(resources: string[]): string {
  return [
    'export class AllCalls {',
    ...resources.map((name) => `  readonly ${name}: ${className(name)}`),
    '',
    '  constructor(transport: Transport) {',
    ...resources.map((name) => `    this.${name} = new ${className(name)}(transport)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

interface Method {
  name: string
  /** The method of Transport that it calls. */
  by: string
  returns: string
  query_type?: string
  /** The value of `format`. */
  format?: string
  /** The type of a response that is a file. */
  accept?: string
}

function printMethods(operation: Operation): string[] {
  const { method } = nameOf(operation.id)
  const shapes = shapesOf(operation)
  return Object.keys(operation.responses).map((type) => {
    const found = methodFor(operation, shapes, type)
    return printMethod(operation, shapes, { name: method, ...found })
  })
}

type PartialMethod = Omit<Method, 'name'> & { name?: string }

function methodFor(operation: Operation, shapes: Shapes, type: string): PartialMethod {
  const withoutFormat = { query_type: `Omit<${shapes.query}, 'format'>` }
  if (type === 'text/event-stream') {
    return { by: 'stream', returns: 'AsyncGenerator<FlorinEvent, void, undefined>' }
  }
  if (type === 'text/csv') {
    const name = `${nameOf(operation.id).method.replace(/^list/, 'get')}Csv`
    return { name, by: 'text', returns: 'Promise<string>', ...withoutFormat, format: 'csv' }
  }
  if (type === 'application/pdf') {
    const name = `${nameOf(operation.id).method}Pdf`
    const returns = 'Promise<Uint8Array<ArrayBuffer>>'
    return { name, by: 'bytes', returns, ...withoutFormat, format: 'pdf', accept: type }
  }
  if (isText(type)) return { by: 'text', returns: 'Promise<string>' }
  const query_type = Object.keys(operation.responses).length > 1 ? withoutFormat : {}
  if (shapes.item === undefined) {
    return { by: 'json', returns: `Promise<${shapes.response}>`, ...query_type }
  }
  if (!isNumbered(operation)) {
    return { by: 'cursorPages', returns: `PageRequest<CursorPage<${shapes.item}>>`, ...query_type }
  }
  const page = `NumberedPage<${shapes.item}, ${paginationOf(operation)}>`
  return { by: 'numberedPages', returns: `PageRequest<${page}>`, ...query_type }
}

function printMethod(operation: Operation, shapes: Shapes, method: Method): string {
  const doc = printDoc(docOf(operation), '  ')
  const parameters = printParameters(operation, shapes, method)
  const call = printCall(operation, shapes, method)
  return [
    ...doc,
    `  ${method.name}(`,
    ...parameters.map((parameter) => `    ${parameter},`),
    `  ): ${method.returns} {`,
    `    return this.#transport.${method.by}(`,
    '      {',
    ...call.map((line) => `        ${line},`),
    '      },',
    '      options,',
    '    )',
    '  }',
  ].join('\n')
}

function docOf(operation: Operation): string {
  const { summary, description, method, path } = operation
  const advice = isNumbered(operation) ? `\n\n${numbered_advice}` : ''
  // Editors strike out the calls.
  const mark = operation.is_deprecated ? '\n\n@deprecated' : ''
  return `${summary}: \`${method} ${path}\`.\n\n${description}${advice}${mark}`
}

// In the doc of the method, because few readers look at the class of the page.
const numbered_advice =
  'Do not remove entries while you iterate: later entries move to earlier pages and are skipped. ' +
  'Collect the entries first, then remove them.'

function printParameters(operation: Operation, shapes: Shapes, method: Method): string[] {
  const body_default = operation.body_required ? '' : ' = {}'
  const query_type = method.query_type ?? shapes.query
  const query_default = operation.query.some(({ required }) => required) ? '' : ' = {}'
  return [
    ...operation.path_names.map((name) => `${name}: string`),
    ...(shapes.body ? [`body: ${shapes.body}${body_default}`] : []),
    ...(operation.takes_file ? ['file: FileContent'] : []),
    ...(shapes.query ? [`query: ${query_type}${query_default}`] : []),
    `options: ${optionsOf(operation)} = {}`,
  ]
}

function optionsOf({ takes_account, takes_idempotency_key }: Operation): string {
  if (takes_idempotency_key) return takes_account ? 'AccountWriteOptions' : 'WriteOptions'
  return takes_account ? 'AccountCallOptions' : 'CallOptions'
}

function printCall(operation: Operation, shapes: Shapes, method: Method): string[] {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => `\${segment('${name}', ${name})}`,
  )
  const quote = path.includes('${') ? '`' : "'"
  const query = method.format ? `{ ...query, format: '${method.format}' }` : 'query'
  return [
    `method: '${operation.method}'`,
    `path: ${quote}${path}${quote}`,
    ...(shapes.body ? ['body'] : []),
    ...(operation.takes_file ? ['file'] : []),
    ...(shapes.query ? [query === 'query' ? query : `query: ${query}`] : []),
    ...(method.accept ? [`accept: '${method.accept}'`] : []),
    ...(ignores_unknown.has(operation.id) ? [printQueryNames(operation)] : []),
    ...(operation.takes_token ? ['takes_token: true'] : []),
    ...(operation.takes_account ? ['takes_account: true'] : []),
    ...(operation.takes_idempotency_key ? ['takes_idempotency_key: true'] : []),
    ...(method.by === 'cursorPages' ? printAfter(operation) : []),
    // A health check must return the first response.
    ...(operation.is_health ? ['retryable: false'] : []),
  ]
}

// The server rejects an unknown query parameter, except on the contract's endpoints.
const ignores_unknown = new Set(['listUsers', 'listAccounts', 'listTransactions'])

/** The allowed query parameters. A misspelled filter would list everything. */
function printQueryNames({ query }: Operation): string {
  const names = query.map(({ name }) => `'${name}'`)
  const line = `query_names: [${names.join(', ')}]`
  if (line.length <= 91) return line
  return `query_names: [\n${names.map((name) => `          ${name},\n`).join('')}        ]`
}

/** `after` is a sequence number for events and an id for other lists. */
function printAfter({ query }: Operation): string[] {
  const after = query.find(({ name }) => name === 'after')
  if (after === undefined) return []
  return [`after_field: '${after.schema?.type === 'integer' ? 'sequence' : 'id'}'`]
}

function printImports(text: string, operations: Operation[]): string {
  const used = (names: string[]) =>
    [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort()
  const shapes = operations.map((operation) => ({ operation, ...shapesOf(operation) }))
  const requests = used(
    shapes.flatMap(({ operation, body, query, response, item }) => [
      ...[body, query, item ? undefined : response].filter((name) => name !== undefined),
      ...(isNumbered(operation) ? [paginationOf(operation)] : []),
    ]),
  ).filter((name) => /(Body|Query|Response|Pagination)$/.test(name))
  const schemas = used(
    shapes.flatMap(({ response, item }) => [item ?? response].filter((name) => name !== undefined)),
  ).filter((name) => !requests.includes(name) && name !== 'FlorinEvent')
  const options = ['AccountCallOptions', 'AccountWriteOptions', 'CallOptions', 'WriteOptions']
  return [
    printImport(used(options), '../call.ts'),
    printImport(['Transport'], '../transport.ts'),
    ...(text.includes('FileContent') ? [printImport(['FileContent'], '../file-content.ts')] : []),
    printImport(['FlorinEvent'], '../florin-event.ts'),
    printImport(['CursorPage', 'NumberedPage', 'PageRequest'], '../pages.ts'),
    "import { segment } from '../segment.ts'\n",
    printImport(requests, './requests.ts'),
    printImport(schemas, './schemas.ts'),
  ].join('')
}

function printImport(names: string[], from: string): string {
  const line = `import type { ${names.join(', ')} } from '${from}'\n`
  if (line.length <= 100) return line
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'\n`
}
