// Builds an example for a schema from the examples of its fields.

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  allOf?: JsonSchema[]
  [key: string]: unknown
}

/** Throws for a field without an example, so that every new field gets one. */
export function exampleOf(
  schema: JsonSchema,
  named: Record<string, JsonSchema>,
  path = 'body',
): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    return exampleOf(named[name]!, named, name)
  }
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'array') return [exampleOf(schema.items!, named, `${path}[]`)]
  if (schema.type !== 'object') throw new Error(`${path} has no example: add one to its schema`)
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(
    fields.map(([name, field]) => [name, exampleOf(field, named, `${path}.${name}`)]),
  )
}
