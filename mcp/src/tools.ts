// One tool per API operation, generated from the OpenAPI document. The tool name is the operation
// id. Path, query and body parameters are merged into one object of arguments.

import {
  type OpenApi,
  type Operation,
  operationsOf,
  type Parameter,
  type Schema,
} from './openapi.ts'

export interface Tool {
  operation: Operation
  is_read: boolean
  /** Where each argument is sent. */
  locations: Map<string, ArgumentLocation>
  listing: ToolListing
}

type ArgumentLocation = 'path' | 'query' | 'body' | 'account'

/** The entry in tools/list. */
interface ToolListing {
  name: string
  title: string
  description: string
  inputSchema: Schema
  annotations: Record<string, boolean | string>
}

export function toolsOf(api: OpenApi): Tool[] {
  return operationsOf(api)
    .filter((operation) => isCallable(operation) && !isAboutSecrets(operation))
    .map(toolOf)
}

// Excludes operations without a JSON response, such as streams and payment files, and those that
// take a file: a bank statement settles payment requests, so it must come from the bank.
function isCallable({ results, takes_file }: Operation): boolean {
  return results.length > 0 && !takes_file
}

const secrets = /^(key|secret|access_token|refresh_token|(current_|new_)?password)$/

// An email may contain a link to set a password.
const email_operation = 'getEmail'

/** Secrets must not end up in a model's transcript, so these operations are not tools. */
function isAboutSecrets({ id, body, results }: Operation): boolean {
  if (id === email_operation) return true
  const required = (body?.required ?? []).some((name) => secrets.test(name))
  return required || results.some(exposesSecret)
}

function exposesSecret(schema: Schema): boolean {
  const fields = Object.entries(schema.properties ?? {})
  const others = [...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])]
  return (
    fields.some(([name, field]) => secrets.test(name) || exposesSecret(field)) ||
    others.some(exposesSecret)
  )
}

// The first request for a document gives it the next number of the account.
const issuing = new Set(['getReceipt', 'getCreditNote'])

function isRead({ id, method }: Operation): boolean {
  return method === 'GET' && !issuing.has(id)
}

function toolOf(operation: Operation): Tool {
  const is_read = isRead(operation)
  const locations = new Map<string, ArgumentLocation>()
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const add = (name: string, location: ArgumentLocation, schema: Schema, needed: boolean) => {
    if (locations.has(name)) throw new Error(`${operation.id} has two arguments named ${name}`)
    locations.set(name, location)
    properties[name] = schema
    if (needed) required.push(name)
  }
  for (const parameter of operation.parameters) {
    const location = locationOf(parameter)
    if (location === undefined || isPdfFormat(parameter, operation)) continue
    const name = location === 'account' ? 'florin_account' : parameter.name
    const { description, schema, required: needed = false } = parameter
    add(name, location, { ...schema, ...(description !== undefined && { description }) }, needed)
  }
  const needed = operation.body?.required ?? []
  for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
    if (!secrets.test(name)) add(name, 'body', schema, needed.includes(name))
  }
  const inputSchema: Schema = { type: 'object', properties, additionalProperties: false }
  if (required.length > 0) inputSchema.required = required
  return { operation, is_read, locations, listing: show(operation, inputSchema) }
}

function locationOf(parameter: Parameter): ArgumentLocation | undefined {
  if (parameter.in !== 'header') return parameter.in
  return parameter.name.toLowerCase() === 'florin-account' ? 'account' : undefined
}

/** A tool result is text, so a document is always JSON. */
function isPdfFormat(parameter: Parameter, { returns_pdf }: Operation): boolean {
  return returns_pdf && parameter.in === 'query' && parameter.name === 'format'
}

function show(operation: Operation, inputSchema: Schema): ToolListing {
  const { id, summary, description, method, path } = operation
  return {
    name: id,
    title: summary,
    description: `${summary} (${method} ${path}). ${description}`,
    inputSchema,
    annotations: { title: summary, ...hints(operation) },
  }
}

// Money leaves the account, and cannot be called back.
const moving = new Set(['createPayout', 'createPayoutExport', 'createTransfer'])

// Creating an object is not destructive, except for `moving`; changing, canceling and settling are.
// Every call has a new Idempotency-Key, so a POST is not idempotent.
function hints(operation: Operation): Record<string, boolean> {
  const { id, method } = operation
  if (isRead(operation)) return { readOnlyHint: true, openWorldHint: false }
  const adds = (id.startsWith('create') && !moving.has(id)) || issuing.has(id)
  return { readOnlyHint: false, destructiveHint: !adds, idempotentHint: method !== 'POST' }
}
