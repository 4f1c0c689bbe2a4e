// Finds every `sql` template of the source, and which of them a recorded statement comes from.

import { readFileSync } from 'node:fs'

export interface Template {
  file: string
  /** The function or constant that has it. */
  owner: string
  line: number
  /** The fixed text before the first value. Tests indent their statements differently. */
  head: string
  /** The fixed text between values, with single spaces. */
  parts: string[]
  /** Part of another statement, such as a list of columns. */
  is_fragment: boolean
  /** Of its fixed text. */
  length: number
}

export function findTemplates(files: string[]): Template[] {
  return files.flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const found: FoundTemplate[] = []
    for (const { index } of source.matchAll(/(?<![`.])\bsql`/g)) {
      const is_nested = found.some((one) => one.from < index && index < one.to)
      const { parts, end } = readTemplate(source, index + 4)
      found.push({ ...toTemplate(file, source, index, parts, is_nested), from: index, to: end })
    }
    return found
  })
}

interface FoundTemplate extends Template {
  from: number
  to: number
}

const starts = /^\s*(\(\s*)?(select|insert|update|delete|with|merge)\b/i

function toTemplate(
  file: string,
  source: string,
  index: number,
  parts: string[],
  is_nested: boolean,
): Template {
  const before = source.slice(0, index)
  const is_fragment = is_nested || !starts.test(parts[0]!)
  const owners = [...before.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)]
  return {
    file,
    owner: owners.at(-1)?.[1] ?? '?',
    line: before.split('\n').length,
    head: parts[0]!,
    parts: parts.map(squeeze),
    is_fragment,
    length: parts.map(squeeze).join('').length,
  }
}

/** Reads the text that follows a backtick. */
function readTemplate(source: string, from: number): { parts: string[]; end: number } {
  const parts = ['']
  for (let at = from; at < source.length; at++) {
    const char = source[at]!
    if (char === '`') return { parts, end: at }
    if (char === '\\') {
      at += 1
      parts[parts.length - 1] += source[at]!
    } else if (char === '$' && source[at + 1] === '{') {
      at = endOfValue(source, at + 2)
      parts.push('')
    } else parts[parts.length - 1] += char
  }
  throw new Error('a template has no end')
}

/** The position of the brace that ends `${`. */
function endOfValue(source: string, from: number): number {
  let depth = 1
  for (let at = from; ; at++) {
    const char = source[at]!
    if (char === '`') at = readTemplate(source, at + 1).end
    else if (char === "'") at = source.indexOf("'", at + 1)
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0) return at
  }
}

function squeeze(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}

/** The template with the most fixed text, of those that produce the whole statement. */
export function templateOf(templates: Template[], text: string): Template | undefined {
  const squeezed = squeeze(text)
  const whole = templates.filter(
    (one) => !one.is_fragment && startsLike(one, text) && produces(one, squeezed),
  )
  return whole.sort((a, b) => b.length - a.length)[0]
}

// A short INSERT is completed by sql-rows.ts, which quotes the names of columns.
function startsLike({ head }: Template, text: string): boolean {
  return text.startsWith(/^insert into \w+ $/.test(head) ? `${head}("` : head)
}

/** Whether the statement contains the whole template, such as the common part of two statements. */
export function contains(text: string, { parts }: Template): boolean {
  const squeezed = squeeze(text)
  let at = 0
  for (const part of parts) {
    const found = squeezed.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return true
}

// Values and fragments stand for any text. Taking the first match of each part finds a match if
// there is one, because the last part is matched at the end.
function produces({ parts }: Template, text: string): boolean {
  const [first, ...others] = parts
  if (others.length === 0) return text === first
  const last = others.pop()!
  if (!text.startsWith(first!) || !text.endsWith(last)) return false
  let at = first!.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
