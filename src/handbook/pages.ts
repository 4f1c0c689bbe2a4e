// The pages under docs/ that Florin itself hands out. They are read once, when a process starts, so
// what can be asked for is a fixed list: no name that comes from outside is ever a path of a file.

import { readdirSync, readFileSync } from 'node:fs'

export const folders = ['guides', 'concepts', 'decisions'] as const
export type Folder = (typeof folders)[number]

export interface Page {
  folder: Folder
  /** As in its address, without `.md`. */
  name: string
  /** Under the server's own address. */
  path: string
  title: string
  /** The first sentence: what the page is for. */
  summary: string
  text: string
}

const docs = new URL('../../docs/', import.meta.url)

export function readPages(): Page[] {
  return folders.flatMap((folder) => {
    const files = readdirSync(new URL(`${folder}/`, docs)).sort()
    return files
      .filter((file) => file.endsWith('.md'))
      .map((file) => readPage(folder, file.slice(0, -'.md'.length)))
  })
}

function readPage(folder: Folder, name: string): Page {
  const file = `${folder}/${name}.md`
  // The file of the API is served at its own address, and made by the server that is asked.
  const text = readFileSync(new URL(file, docs), 'utf8').replaceAll(
    '](../reference/openapi.json)',
    '](../../openapi.json)',
  )
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`docs/${file} has no title`)
  return { folder, name, path: `/docs/${file}`, title, summary: firstSentence(text), text }
}

/** Of the first paragraph, on one line and without its links. */
export function firstSentence(markdown: string): string {
  const prose = markdown.replaceAll(/^```.*?^```$/gms, '')
  const paragraph = prose.split(/\n\s*\n/).find((part) => /^[^#|>\s-]/.test(part)) ?? ''
  const line = paragraph.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?[.:](?= |$)/.exec(line)?.[0].replace(/:$/, '.') ?? line
}
