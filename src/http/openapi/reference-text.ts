// The API reference as Markdown: every endpoint with its fields, readable without JavaScript.

import {
  type ApiDescription,
  type ApiOperation,
  type ApiResponse,
  operationsOf,
  type Schema,
} from './api-description.ts'

export function referenceText(api: ApiDescription): string {
  const operations = operationsOf(api)
  const parts = api.tags.map(({ name, description }) => {
    const tagged = operations.filter(({ tag }) => tag === name)
    if (tagged.length === 0) return ''
    return `## ${name}\n\n${description}\n\n${tagged.map(operationText).join('\n')}`
  })
  const head = `# ${api.info.title} ${api.info.version}: API reference\n\n${api.info.description}\n`
  return `${[head, ...parts.filter((part) => part !== '')].join('\n')}`
}

function operationText(operation: ApiOperation): string {
  const { method, path, summary, description } = operation
  const parameters = operation.parameters.map(
    ({ name, in: location, required, description, schema }) =>
      fieldLine(name, [location, ...factsOf(schema), required && 'required'], description),
  )
  return [
    `### ${method} ${path}`,
    '',
    `${summary}. ${description}`,
    '',
    ...section('Parameters', parameters),
    ...section('Body', operation.body ? fieldLines(operation.body) : []),
    ...section('Responses', operation.responses.flatMap(responseLines)),
  ].join('\n')
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, '', ...lines, '']
}

function responseLines({ status, description, schema }: ApiResponse): string[] {
  const line = `- \`${status}\`: ${oneLine(description)}`
  // The introduction of the page describes the shape that all errors share.
  if (!status.startsWith('2') || schema === undefined) return [line]
  return [line, ...fieldLines(schema).map((text) => `  ${text}`)]
}

/** One line per field, with nested fields indented below it. */
function fieldLines(schema: Schema): string[] {
  const required = schema.required ?? []
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const facts = [...factsOf(field), required.includes(name) && 'required']
    const within = fieldLines(field.items ?? field).map((text) => `  ${text}`)
    return [fieldLine(name, facts, field.description), ...within]
  })
}

function fieldLine(name: string, facts: (string | false | undefined)[], description = ''): string {
  const joined = facts.filter((fact) => fact).join(', ')
  return `- \`${name}\` (${joined}): ${oneLine(description)}`.replace(/: $/, '')
}

/** Type, limits and default. */
export function factsOf(schema: Schema): (string | false)[] {
  return [
    typeText(schema),
    spanText(schema.minimum, schema.maximum, ''),
    spanText(schema.minLength, schema.maxLength, ' characters'),
    spanText(schema.minItems, schema.maxItems, ' items'),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ]
}

function spanText(min: unknown, max: unknown, unit: string): string | false {
  if (min !== undefined && max !== undefined) return `${min}–${max}${unit}`
  if (max !== undefined) return `up to ${max}${unit}`
  return min !== undefined && `${min}${unit} or more`
}

function typeText(schema: Schema): string {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  // The list of currencies is too long to print.
  if (values && values.length <= 40) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.items) return `array of ${typeText(schema.items)}`
  if (schema.anyOf && !schema.type) return schema.anyOf.map(typeText).join(' | ')
  return [schema.type ?? 'any'].flat().join(' or ')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
