// Prints one Python class per noun with one method per operation.

import { nameOf } from './method-names.ts'
import { isText, type Operation, type Schema } from './openapi.ts'
import {
  capitalized,
  inputName,
  isPythonName,
  printPythonType,
  python_head,
  responseOf,
} from './print-python-types.ts'
import { wrap } from './print-type.ts'

export function printPythonResources(operations: Operation[]): string {
  const resources = Map.groupBy(operations, ({ id }) => nameOf(id).resource)
  const classes = [...resources].map(([name, members]) => printClass(name, members))
  return [python_head, imports, ...classes, printAll([...resources.keys()])].join('\n')
}

const imports = `from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

from .._call import (
    NOT_GIVEN,
    AccountCallOptions,
    AccountWriteOptions,
    Call,
    CallOptions,
    FileContent,
    NotGiven,
    WriteOptions,
    read_content,
    segment,
)
from .._pages import CursorPage, NumberedPage
from . import types as t

if TYPE_CHECKING:
    from .._transport import Transport

`

const className = (resource: string) => `${capitalized(resource)}Calls`

function toSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** `from` and `import` are keywords: `from_`, `import_`. */
const pythonName = (name: string) => (isPythonName(name) ? name : `${name}_`)

function printClass(resource: string, operations: Operation[]): string {
  return [
    `class ${className(resource)}:`,
    '    def __init__(self, transport: Transport) -> None:',
    '        self._transport = transport',
    '',
    operations.flatMap(printMethods).join('\n'),
    '',
  ].join('\n')
}

/** The base class of the client, with every noun as a property. */
function printAll(resources: string[]): string {
  return [
    'class AllCalls:',
    '    def __init__(self, transport: Transport) -> None:',
    ...resources.map((name) => `        self.${toSnake(name)} = ${className(name)}(transport)`),
    '',
  ].join('\n')
}

interface Method {
  name: string
  /** The method of Transport that it calls. */
  by: string
  returns: string
  /** The value of `format`. */
  format?: string
  /** The type of a response that is a file. */
  accept?: string
}

function printMethods(operation: Operation): string[] {
  const { method } = nameOf(operation.id)
  return Object.keys(operation.responses).map((type) =>
    printMethod(operation, methodFor(operation, pythonName(toSnake(method)), type)),
  )
}

function methodFor(operation: Operation, name: string, type: string): Method {
  if (type === 'text/event-stream') {
    return { name, by: 'stream', returns: 'Iterator[t.FlorinEvent]' }
  }
  if (type === 'text/csv') {
    return {
      name: `${name.replace(/^list/, 'get')}_csv`,
      by: 'text',
      returns: 'str',
      format: 'csv',
    }
  }
  if (type === 'application/pdf') {
    return { name: `${name}_pdf`, by: 'file', returns: 'bytes', format: 'pdf', accept: type }
  }
  if (isText(type)) return { name, by: 'text', returns: 'str' }
  const schema = operation.responses['application/json']!
  const found = responseOf(operation)
  if (found.response !== undefined) {
    const returns = schema.$ref ? printType(schema, found.name) : `t.${found.name}`
    return { name, by: 'json', returns }
  }
  const item = printType(schema.properties!.data!.items!, found.name)
  if (schema.properties!.pagination === undefined) {
    return { name, by: 'cursor_page', returns: `CursorPage[${item}]` }
  }
  return { name, by: 'numbered_page', returns: `NumberedPage[${item}]` }
}

function printType(schema: Schema, name: string, input = false): string {
  const type = printPythonType(schema, { input, module: 't.', name, declare: () => {} })
  // Events have a type per noun.
  return type === 't.Event' ? 't.FlorinEvent' : type
}

function printMethod(operation: Operation, method: Method): string {
  const { fields, path_names } = argumentsOf(operation)
  const keyword_only = fields.length > 0 ? ['*', ...fields.flatMap(printArgument)] : []
  const parameters = [
    'self',
    ...path_names.map((name) => `${name}: str`),
    ...(operation.takes_file ? ['file: FileContent'] : []),
    ...keyword_only,
    `**options: Unpack[${optionsOf(operation)}]`,
  ]
  return [
    `    def ${method.name}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ) -> ${method.returns}:`,
    ...printDocstring(operation),
    `        response: ${method.returns} = self._transport.${method.by}(`,
    '            Call(',
    ...printCall(operation, method).map((line) => `                ${line},`),
    '            ),',
    '            options,',
    '        )',
    '        return response',
    '',
  ].join('\n')
}

interface Argument {
  /** The name in the request. */
  name: string
  type: string
  required: boolean
}

function argumentsOf(operation: Operation): { fields: Argument[]; path_names: string[] } {
  const { id, body, path_names } = operation
  const of_body = Object.entries(body?.properties ?? {})
    .filter(([, { readOnly }]) => !readOnly)
    .map(([name, schema]) => ({
      name,
      type: printType(schema, inputName(id, name), true),
      required: body?.required?.includes(name) ?? false,
    }))
  const of_query = queryOf(operation).map(({ name, schema, required }) => ({
    name: name!,
    type: printType(schema ?? {}, inputName(id, name!), true),
    required: required ?? false,
  }))
  const all = [...of_body, ...of_query]
  const fields = [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
  return { fields, path_names }
}

/** Without the `format` that a method per type of response sets. */
function queryOf({ query, responses }: Operation): Operation['query'] {
  if (Object.keys(responses).length === 1) return query
  return query.filter(({ name }) => name !== 'format')
}

function printArgument({ name, type, required }: Argument): string[] {
  const line = `${pythonName(name)}: ${type}${required ? '' : ' | NotGiven = NOT_GIVEN'}`
  if (line.length <= 90) return [line]
  const values = line
    .replaceAll('", "', '",\n            "')
    .replace('Literal[', 'Literal[\n            ')
  return [values.replace('"] |', '",\n        ] |').replace(/"\]$/, '",\n        ]')]
}

function optionsOf({ takes_account, takes_idempotency_key }: Operation): string {
  if (takes_idempotency_key) return takes_account ? 'AccountWriteOptions' : 'WriteOptions'
  return takes_account ? 'AccountCallOptions' : 'CallOptions'
}

function printDocstring(operation: Operation): string[] {
  const { summary, description, method, path } = operation
  const deprecated = operation.is_deprecated ? '\n\nDeprecated.' : ''
  const text = `${summary}: \`${method} ${path}\`.\n\n${description}${deprecated}`
  const lines = text
    .replaceAll('\\', '\\\\')
    .split('\n')
    .flatMap((line) => wrap(line, 88))
  const [first, ...rest] = lines
  return [`        """${first}`, ...rest.map((line) => `        ${line}`.trimEnd()), '        """']
}

function printCall(operation: Operation, method: Method): string[] {
  const { body, query } = operation
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => `{segment('${name}', ${name})}`)
  const body_names = Object.entries(body?.properties ?? {})
    .filter(([, { readOnly }]) => !readOnly)
    .map(([name]) => name)
  const query_names = queryOf(operation).map(({ name }) => name!)
  const format = method.format ? [`"format": "${method.format}"`] : []
  return [
    `"${operation.method}"`,
    `${path.includes('{') ? 'f' : ''}"${path}"`,
    ...(query.length > 0 ? [printFields('query', query_names, format)] : []),
    ...(body ? [printFields('body', body_names)] : []),
    ...(operation.takes_file ? ['file=read_content(file)'] : []),
    ...(method.accept ? [`accept="${method.accept}"`] : []),
    ...(operation.takes_token ? ['takes_token=True'] : []),
    ...(operation.takes_account ? ['takes_account=True'] : []),
    ...(operation.takes_idempotency_key ? ['takes_idempotency_key=True'] : []),
    ...(method.by === 'cursor_page' ? printAfter(operation) : []),
    // A health check must return the first response.
    ...(operation.is_health ? ['retryable=False'] : []),
  ]
}

function printFields(name: string, fields: string[], more: string[] = []): string {
  const entries = [...fields.map((field) => `"${field}": ${pythonName(field)}`), ...more]
  const line = `${name}={${entries.join(', ')}}`
  if (line.length <= 80) return line
  const indent = ' '.repeat(20)
  return `${name}={\n${entries.map((entry) => `${indent}${entry},\n`).join('')}                }`
}

/** `after` is a sequence number for events and an id for other lists. */
function printAfter({ query }: Operation): string[] {
  const after = query.find(({ name }) => name === 'after')
  if (after === undefined) return []
  return [`after_field="${after.schema?.type === 'integer' ? 'sequence' : 'id'}"`]
}
