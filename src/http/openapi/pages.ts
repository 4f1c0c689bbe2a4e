// The pages under docs/ that the server serves. They are read once at startup and looked up in a
// fixed list, so no part of a request path is ever used as a file path.

import { readdirSync, readFileSync } from 'node:fs'

const folders = ['guides', 'concepts', 'reference', 'decisions'] as const
export type Folder = (typeof folders)[number]

export interface Page {
  folder: Folder
  /** File name without `.md`. */
  name: string
  /** Path in the server's URL. */
  path: string
  title: string
  /** The first sentence of the page. */
  summary: string
  text: string
}

const docs = new URL('../../../docs/', import.meta.url)

let pages: Page[] | undefined

export function readPages(): Page[] {
  pages ??= readAll()
  return pages
}

function readAll(): Page[] {
  return folders.flatMap((folder) => {
    const files = readdirSync(new URL(`${folder}/`, docs)).sort()
    return files
      .filter((file) => file.endsWith('.md'))
      .map((file) => readPage(folder, file.slice(0, -'.md'.length)))
  })
}

function readPage(folder: Folder, name: string): Page {
  const file = `${folder}/${name}.md`
  // The server generates openapi.json and serves it at /openapi.json.
  const text = readFileSync(new URL(file, docs), 'utf8').replaceAll(
    '](../reference/openapi.json)',
    '](../../openapi.json)',
  )
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`docs/${file} has no title`)
  return { folder, name, path: `/docs/${file}`, title, summary: firstSentence(text), text }
}

/** The first sentence of the first paragraph, on one line and without links. */
export function firstSentence(markdown: string): string {
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '')
  const paragraph = prose.split(/\n\s*\n/).find((part) => /^[^#|>\s-]/.test(part)) ?? ''
  const line = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?[.:](?= |$)/.exec(line)?.[0].replace(/:$/, '.') ?? line
}
