// The API reference as Markdown: every call with its fields, for readers who want no script.

import {
  type ApiDescription,
  type ApiOperation,
  operationsOf,
  type Schema,
} from './api-description.ts'

export function referenceText(api: ApiDescription): string {
  const operations = operationsOf(api)
  const parts = api.tags.map(({ name, description }) => {
    const own = operations.filter(({ tag }) => tag === name)
    if (own.length === 0) return ''
    return `## ${name}\n\n${description}\n\n${own.map(operationText).join('\n')}`
  })
  const head = `# ${api.info.title} ${api.info.version}: API reference\n\n${api.info.description}\n`
  return `${[head, ...parts.filter((part) => part !== '')].join('\n')}`
}

function operationText(operation: ApiOperation): string {
  const { method, path, summary, description } = operation
  const parameters = operation.parameters.map(
    ({ name, in: place, required, description, schema }) =>
      fieldLine(name, [place, ...factsOf(schema), required && 'required'], description),
  )
  return [
    `### ${method} ${path}`,
    '',
    `${summary}. ${description}`,
    '',
    ...section('Parameters', parameters),
    ...section('Body', operation.body ? fieldLines(operation.body) : []),
    ...section('Answers', operation.responses.flatMap(responseLines)),
  ].join('\n')
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, '', ...lines, '']
}

function responseLines({
  status,
  description,
  schema,
}: ApiOperation['responses'][number]): string[] {
  const line = `- \`${status}\`: ${oneLine(description)}`
  // All errors have the one shape that the head of the page tells of.
  if (!status.startsWith('2') || schema === undefined) return [line]
  return [line, ...fieldLines(schema).map((text) => `  ${text}`)]
}

/** One line for each field, those of fields within it below it. */
function fieldLines(schema: Schema): string[] {
  const required = schema.required ?? []
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const facts = [...factsOf(field), required.includes(name) && 'required']
    const within = fieldLines(field.items ?? field).map((text) => `  ${text}`)
    return [fieldLine(name, facts, field.description), ...within]
  })
}

function fieldLine(name: string, facts: (string | false | undefined)[], description = ''): string {
  const told = facts.filter((fact) => fact).join(', ')
  return `- \`${name}\` (${told}): ${oneLine(description)}`.replace(/: $/, '')
}

/** What it is, how much of it may be, and what it is when it is left out. */
function factsOf(schema: Schema): (string | false)[] {
  return [
    typeText(schema),
    spanText(schema.minimum, schema.maximum, ''),
    spanText(schema.minLength, schema.maxLength, ' characters'),
    spanText(schema.minItems, schema.maxItems, ' items'),
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ]
}

function spanText(least: unknown, most: unknown, things: string): string | false {
  if (least !== undefined && most !== undefined) return `${least}–${most}${things}`
  if (most !== undefined) return `up to ${most}${things}`
  return least !== undefined && `${least}${things} or more`
}

function typeText(schema: Schema): string {
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  // All currencies would fill the page.
  if (words && words.length <= 40) return words.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.items) return `array of ${typeText(schema.items)}`
  if (schema.anyOf && !schema.type) return schema.anyOf.map(typeText).join(' | ')
  return [schema.type ?? 'any'].flat().join(' or ')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
