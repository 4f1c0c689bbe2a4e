// Runs the program with only the globals of edge runtimes (ECMA-429, the minimum common web API):
// no process, no Buffer, no Node.js modules.

import { readFile } from 'node:fs/promises'
import { createContext, SourceTextModule } from 'node:vm'

const names = `AbortController AbortSignal DOMException Event EventTarget Headers ReadableStream
  Request Response TextDecoder TextDecoderStream TextEncoder TransformStream URL URLSearchParams
  WritableStream atob btoa clearTimeout console crypto fetch queueMicrotask setTimeout
  structuredClone`.split(/\s+/)

const outside = Object.fromEntries(names.map((name) => [name, globalThis[name]]))
// The fetch of Node.js creates errors and arrays in the outer realm, which the program must accept.
const context = createContext(outside)
const modules = new Map()

/** Loads every file once, because a module loaded twice would define its classes twice. */
function load(url) {
  if (!modules.has(url.href)) modules.set(url.href, read(url))
  return modules.get(url.href)
}

async function read(url) {
  const text = await readFile(url, 'utf8')
  return new SourceTextModule(text, { context, identifier: url.href })
}

function find(name, from) {
  if (name === 'florin-client') {
    return new URL('./node_modules/florin-client/dist/florin.js', import.meta.url)
  }
  if (name.startsWith('.')) return new URL(name, from)
  throw new Error(`${from} imports ${name}, which edge runtimes do not provide`)
}

const program = await load(new URL('./out/use-everything.js', import.meta.url))
await program.link((name, from) => load(find(name, from.identifier)))
await program.evaluate()
const target = JSON.parse(process.argv[2])
console.log(JSON.stringify(await program.namespace.useEverything(target)))
