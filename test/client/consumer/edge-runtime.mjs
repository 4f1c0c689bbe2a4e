// Runs the program with nothing around it but what edge runtimes agree on (ECMA-429, the minimum
// common web API): no process, no Buffer, no module of Node.

import { readFile } from 'node:fs/promises'
import { createContext, SourceTextModule } from 'node:vm'

const names = `AbortController AbortSignal DOMException Event EventTarget Headers ReadableStream
  Request Response TextDecoder TextDecoderStream TextEncoder TransformStream URL URLSearchParams
  WritableStream atob btoa clearTimeout console crypto fetch queueMicrotask setTimeout
  structuredClone`.split(/\s+/)

const outside = Object.fromEntries(names.map((name) => [name, globalThis[name]]))
// Errors and arrays that Node's own fetch makes are of the outer realm; the program must not mind.
const context = createContext(outside)
const modules = new Map()

/** Every file once, as any loader does: two of a class would be two classes. */
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
  throw new Error(`${from} asks for ${name}, which no edge runtime has`)
}

const program = await load(new URL('./out/use-everything.js', import.meta.url))
await program.link((name, from) => load(find(name, from.identifier)))
await program.evaluate()
const target = JSON.parse(process.argv[2])
console.log(JSON.stringify(await program.namespace.useEverything(target)))
