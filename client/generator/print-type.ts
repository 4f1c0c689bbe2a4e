// Prints a JSON Schema as a TypeScript type.

import { nameOfRef, type Schema } from './openapi.ts'

export interface Printing {
  /** Optional fields of a request may be undefined, which is not sent. */
  input: boolean
  /** The TypeScript name of a component. */
  rename(component: string): string
}

export function printType(schema: Schema, printing: Printing, indent = ''): string {
  if (schema.$ref !== undefined) return printing.rename(nameOfRef(schema.$ref))
  if (schema.enum !== undefined) return printChoice(schema.enum, indent)
  const several = schema.oneOf ?? schema.anyOf
  if (several !== undefined) return union(several.map((one) => printType(one, printing, indent)))
  if (schema.allOf !== undefined) {
    return schema.allOf.map((one) => printType(one, printing, indent)).join(' & ')
  }
  if (schema.type === undefined) return 'unknown'
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type]
  return union(kinds.map((kind) => printKind(kind, schema, printing, indent)))
}

/** On one line, or one value per line if that is too long. */
function printChoice(values: unknown[], indent: string): string {
  const line = union(values.map(literal))
  if (line.length <= 70) return line
  return values.map((value) => `\n${indent}  | ${literal(value)}`).join('')
}

function printKind(kind: string, schema: Schema, printing: Printing, indent: string): string {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return kind
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = printType(schema.items ?? {}, printing, indent)
      return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return printObject(schema, printing, indent)
    default:
      throw new Error(`The generator does not support the type ${kind}.`)
  }
}

function printObject(schema: Schema, printing: Printing, indent: string): string {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length > 0) return printFields(schema, printing, indent)
  const values = schema.additionalProperties
  const value = typeof values === 'object' ? printType(values, printing, indent) : 'unknown'
  return `Record<string, ${value}>`
}

/** The fields of an object type or interface in braces, with doc comments. */
export function printFields(schema: Schema, printing: Printing, indent: string): string {
  const deeper = `${indent}  `
  const properties = Object.entries(schema.properties ?? {})
  // The server rejects read-only fields in a request.
  const fields = printing.input ? properties.filter(([, { readOnly }]) => !readOnly) : properties
  const lines = fields.flatMap(([name, field]) => {
    const required = schema.required?.includes(name) ?? false
    const type = printType(field, printing, deeper)
    const undefinable = !required && printing.input ? ' | undefined' : ''
    const doc = field.description === undefined ? [] : printDoc(field.description, deeper)
    return [
      ...doc,
      `${deeper}${fieldName(name)}${required ? '' : '?'}: ${type}${undefinable}`.replace(
        ': \n',
        ':\n',
      ),
    ]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function fieldName(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)
}

const columns = 100

/** Wraps text into a doc comment. */
export function printDoc(text: string, indent: string): string[] {
  const safe = text.replaceAll('*/', '* /')
  const one = `${indent}/** ${safe} */`
  if (!safe.includes('\n') && one.length <= columns) return [one]
  const width = columns - indent.length - 3
  const lines = safe.split('\n').flatMap((line) => wrap(line, width))
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`]
}

export function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

export function union(types: string[]): string {
  return [...new Set(types)].join(' | ')
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}
