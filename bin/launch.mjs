// Shared by all launchers. Uses Node 16 syntax only: a Node too old for Florin would fail on the
// first line of other files with a syntax error. This file still runs there and prints what to do.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { downloadNode, isNewEnough, min_version, runtime, tryNode } from './download-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')

/** Calls `load`, or re-runs `script` on a newer Node if the current one is too old. */
export async function launch(script, load) {
  if (!existsSync(modules)) {
    fail(`The packages are not installed. Run: ${installCommand()}`)
  } else if (isNewEnough(process.versions.node)) {
    await run(load)
  } else {
    runOnNewerNode(script)
  }
}

async function run(load) {
  // Without the compile cache every start strips the types of all files again: 0.5 s instead of
  // 0.14 s. The cache is next to the packages, not in /tmp, where another user could plant code.
  if (nodeModule.enableCompileCache) {
    nodeModule.enableCompileCache(join(modules, '.cache', 'florin'))
  }
  try {
    await load()
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    fail(`${error.message.split('\n')[0]}. The packages are incomplete. Run: ${installCommand()}`)
  }
}

// Runs the Node that npm installed next to Florin. npm scripts already use it; this covers calling
// a launcher directly with an older Node. A published package downloads one instead.
function runOnNewerNode(script) {
  const installed = findInstalledNode()
  if (installed !== undefined) {
    const problem = tryNode(installed)
    if (problem === undefined) replaceWith(installed, script)
    else fail(`${explainNode()} ${advice(problem)}`)
  } else if (runtime === undefined) {
    fail(`${explainNode()} ${advice('missing')}`)
  } else {
    const { path, problem } = downloadNode(explainNode())
    if (problem === undefined) replaceWith(path, script)
    else fail(`${explainNode()} ${problem}`)
  }
}

// Only the package lists the Node to download; a checkout installs it with npm ci. The package is
// named by its tarball: `florin` in the registry is an unrelated one.
function installCommand() {
  if (runtime === undefined) return 'npm ci'
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `npm install ./florin-${version}.tgz`
}

function findInstalledNode() {
  const { resolve } = nodeModule.createRequire(import.meta.url)
  const name = `node-${process.platform}-${process.arch}`
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  for (const one of [name, name.replace('node-', 'node-bin-'), name.replace('win32', 'win')]) {
    try {
      return resolve(`${one}/${program}`)
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}

function replaceWith(path, script) {
  const args = [...process.execArgv, script, ...process.argv.slice(2)]
  const child = spawn(path, args, { stdio: 'inherit' })
  // Ctrl-C reaches both processes, so the child receives the signal twice. It treats two as one.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('error', (error) => fail(`${path} cannot be run: ${error.message}.`))
  child.on('exit', (code, signal) => {
    process.exit(code === null ? 128 + constants.signals[signal] : code)
  })
}

function explainNode() {
  const required = min_version.join('.')
  return `Florin requires Node ${required} or newer; this is Node ${process.versions.node}.`
}

function advice(problem) {
  const install = `Install Node ${min_version.join('.')} or newer`
  if (problem === 'missing') {
    return (
      'The bundled Node is not installed. Run npm ci without --omit=optional. ' +
      `Or: ${install}, and set DATABASE_URL to an existing PostgreSQL server.`
    )
  }
  if (problem === 'old') return `The bundled Node is also too old. Run: ${installCommand()}`
  return (
    'The bundled Node does not run on this system (Alpine and other musl systems, for example). ' +
    `${install}, run npm ci --omit=optional, and set DATABASE_URL to an existing PostgreSQL server.`
  )
}

function fail(message) {
  process.stderr.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ error: 'cannot_launch', message })}\n`
      : `${message}\n`,
  )
  process.exitCode = 1
}
