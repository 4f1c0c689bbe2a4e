// The API reference: a page per tag with all of its operations, generated from the OpenAPI
// document.

import type { DocsGroup } from '../../pages/docs-frame.ts'
import { html, type Markup } from '../../primitives/markup.ts'
import {
  type ApiDescription,
  type ApiOperation,
  type ApiResponse,
  operationsOf,
  type Parameter,
  type Schema,
} from '../openapi/api-description.ts'
import { factsOf } from '../openapi/reference-text.ts'
import { curlExample, sdkExample } from './call-examples.ts'
import { codeBlock, renderText } from './render-markdown.ts'

export interface ApiTag {
  name: string
  path: string
  description: string
  operations: ApiOperation[]
}

/** The tags that have operations, in the order of the document. */
export function apiTags(api: ApiDescription): ApiTag[] {
  const operations = operationsOf(api)
  return api.tags
    .map(({ name, description }) => ({
      name,
      path: `/docs/api/${name.toLowerCase().replaceAll(' ', '-')}`,
      description,
      operations: operations.filter(({ tag }) => tag === name).sort(countsLast),
    }))
    .filter((tag) => tag.operations.length > 0)
}

// The document has them first. A reader looks for the resource itself.
function countsLast(a: ApiOperation, b: ApiOperation): number {
  const isCount = ({ path }: ApiOperation) => Number(path.startsWith('/v1/list_counts/'))
  return isCount(a) - isCount(b)
}

/** The tags, and below the current one its operations. */
export function apiNavigation(tags: ApiTag[], current?: ApiTag): DocsGroup[] {
  const links = tags.flatMap((tag) => {
    const link = { path: tag.path, title: tag.name }
    return tag === current ? [link, ...operationLinks(tag)] : [link]
  })
  return [
    { title: 'API reference', links: [{ path: '/docs/api', title: 'Overview' }] },
    { title: 'Resources', links },
  ]
}

function operationLinks({ path, operations }: ApiTag): DocsGroup['links'] {
  return operations.map(({ id, summary }) => ({
    path: `${path}#${id}`,
    title: summary,
    is_part: true,
  }))
}

export function apiIndex(api: ApiDescription, tags: ApiTag[], base_url: string): Markup {
  return html`<h1>API reference</h1>
<p class="lead">Every operation of this server, ${api.info.version}. Base URL:
<code>${base_url}</code></p>
${renderText(api.info.description)}
<p>Send an API key or an access token as <code>Authorization: Bearer</code>. <a
 href="/docs/concepts/api-conventions">API conventions</a> explains ids, lists, errors and retries;
<a href="/docs/guides/keys-and-scopes">API keys and scopes</a> how to get a key.</p>
${tags.map(
  ({ name, path, description, operations }) => html`<h2><a href="${path}">${name}</a></h2>
<p>${description}</p>
${operationList(path, operations)}`,
)}`
}

export function apiTagPage(tag: ApiTag, base_url: string): Markup {
  return html`<h1>${tag.name}</h1>
<p class="lead">${tag.description}</p>
${operationList('', tag.operations)}
${tag.operations.map((operation) => operationSection(operation, base_url))}`
}

function operationList(path: string, operations: ApiOperation[]): Markup {
  const item = ({ id, method, path: url, summary }: ApiOperation) =>
    html`<li><a href="${path}#${id}">${methodMark(method)}<code>${url}</code>
<span>${summary}</span></a></li>\n`
  return html`<ul class="operations">
${operations.map(item)}</ul>
`
}

function methodMark(method: string): Markup {
  return html`<b class="method ${method.toLowerCase()}">${method}</b>`
}

function operationSection(operation: ApiOperation, base_url: string): Markup {
  const { id, method, path, summary, description, parameters, body, responses } = operation
  const [headers, others] = partition(parameters, (parameter) => parameter.in === 'header')
  return html`<section class="operation" aria-labelledby="${id}">
<h2 id="${id}">${summary} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h2>
<p class="endpoint">${methodMark(method)}<code>${path}</code></p>
<div class="split">
<div>
${renderText(description)}
${fieldSection('Parameters', others.map(parameterField))}
${body && fieldSection('Body', fieldsOf(body))}
${fieldSection('Headers', headers.map(parameterField))}
${responses.filter(isSuccess).map(responseFields)}
${errorList(responses.filter((response) => !isSuccess(response)))}
</div>
<div>
${examples(operation, base_url)}
</div>
</div>
</section>
`
}

function partition<Item>(items: Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))]
}

function parameterField(parameter: Parameter): Field {
  const { name, in: location, schema, description = '', required } = parameter
  const facts = [location !== 'header' && location, ...factsOf(schema)]
  return { name, facts, is_required: required === true, description, within: [] }
}

function fieldSection(title: string, fields: Field[]): Markup | false {
  return fields.length > 0 && html`<h3>${title}</h3>\n${fieldList(fields)}`
}

const isSuccess = ({ status }: ApiResponse) => status < '300'

interface Field {
  name: string
  facts: (string | false)[]
  is_required: boolean
  description: string
  within: Field[]
}

function fieldsOf(schema: Schema): Field[] {
  const names = schema.required ?? []
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    facts: factsOf(field),
    is_required: names.includes(name),
    description: field.description ?? '',
    within: fieldsOf(field.items ?? field),
  }))
}

const required = html` <em>required</em>`

function fieldList(fields: Field[]): Markup {
  return html`<ul class="fields">
${fields.map(
  ({ name, facts, is_required, description, within }) => html`<li><p><code>${name}</code>
<span>${facts.filter((fact) => fact).join(', ')}</span>${is_required && required}</p>
${description && renderText(description)}
${within.length > 0 && fieldList(within)}</li>
`,
)}</ul>
`
}

/** Folded: most readers look at the example next to it. */
function responseFields({ status, description, schema }: ApiResponse): Markup {
  const fields = schema === undefined ? [] : fieldsOf(schema)
  if (fields.length === 0) return html`<h3>Response ${status}</h3>\n${renderText(description)}`
  return html`<h3>Response ${status}</h3>
${renderText(description)}
<details><summary>${fields.length} fields</summary>
${fieldList(fields)}
</details>
`
}

/** Each code of an error has a paragraph in the description of its response. */
function errorList(responses: ApiResponse[]): Markup | false {
  const errors = responses.flatMap(({ status, description }) =>
    description.split('\n\n').map((text) => ({ status, text })),
  )
  if (errors.length === 0) return false
  const row = ({ status, text }: (typeof errors)[number]) =>
    html`<li><b>${status}</b>${renderText(text)}</li>\n`
  return html`<h3>Errors</h3>
<details><summary>${errors.length} errors</summary>
<ul class="errors">
${errors.map(row)}</ul>
</details>
`
}

function examples(operation: ApiOperation, base_url: string): Markup {
  const sdk = sdkExample(operation)
  const success = operation.responses.find(isSuccess)
  return html`<p class="label">curl</p>
${codeBlock(curlExample(operation, base_url), 'sh')}
${sdk !== undefined && html`<p class="label">TypeScript</p>\n${codeBlock(sdk, 'ts')}`}
${
  success?.example !== undefined &&
  html`<p class="label">Response ${success.status}</p>
${codeBlock(JSON.stringify(success.example, null, 2), 'json')}`
}`
}
