// Compiles our TypeScript for a package: Node.js does not strip types under node_modules. Types are
// replaced by spaces and `.ts` by `.js` in imports, so lines and columns in stack traces are those
// of the source, without source maps.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'

const relative_import = /((?:\bfrom|\bimport)\s*\(?\s*')(\.{1,2}\/[^']+)\.ts'/g
const compiled_import = /((?:\bfrom|\bimport)\s*\(?\s*')(\.{1,2}\/[^']+)\.js'/g

/** Replaces a relative import of a TypeScript file, such as `../a.ts`; the default is `../a.js`. */
type Rewrite = (specifier: string) => string

/** Compiles the .ts files of a folder, and copies all others. */
export function compileFolder(from: string, to: string, rewrite: Rewrite = toJavaScript): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, path))
    if (entry.name.endsWith('.ts')) compileFile(path, target, rewrite)
    else cpSync(path, target)
  }
}

/** Compiles a .ts or .mjs file. */
export function compileFile(from: string, to: string, rewrite: Rewrite = toJavaScript): void {
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(toJavaScript(to), compile(readFileSync(from, 'utf8'), from, rewrite))
}

export function compile(text: string, path: string, rewrite: Rewrite = toJavaScript): string {
  const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  return stripped.replaceAll(relative_import, (_, start: string, specifier: string) => {
    const source = join(dirname(path), `${specifier}.ts`)
    if (!existsSync(source)) throw new Error(`${path} imports ${source}, which does not exist.`)
    return `${start}${rewrite(`${specifier}.ts`)}'`
  })
}

/** Throws if a compiled file imports one that is not in the package. */
export function requireImports(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.m?js$/.test(entry.name)) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, , specifier] of text.matchAll(compiled_import)) {
      const target = join(entry.parentPath, `${specifier}.js`)
      if (existsSync(target)) continue
      throw new Error(`${join(entry.parentPath, entry.name)} imports ${target}, which is missing.`)
    }
  }
}

function toJavaScript(path: string): string {
  return path.replace(/\.ts$/, '.js')
}
