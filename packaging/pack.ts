// `npm run pack [-- FOLDER]`: packs florin, florin-client and florin-mcp as they are published, in
// one version, into FOLDER or tarballs/.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureDashboardBuilt } from '../web/dashboard/ensure-built.ts'
import { stageClient, stageMcp, stageServer } from './stage.ts'

const out = resolve(process.argv[2] ?? 'tarballs')
const stages = mkdtempSync(join(tmpdir(), 'florin-pack-'))
try {
  ensureDashboardBuilt()
  mkdirSync(out, { recursive: true })
  pack('florin', stageServer)
  pack('florin-client', stageClient)
  pack('florin-mcp', stageMcp)
} finally {
  rmSync(stages, { recursive: true, force: true })
}

function pack(name: string, stage: (to: string) => void): void {
  const folder = join(stages, name)
  mkdirSync(folder)
  stage(folder)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out]
  const { status, stdout } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 100_000_000,
  })
  if (status !== 0) throw new Error(`npm could not pack ${name}.`)
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout)
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  console.log(`${join(out, filename)}  ${mb(size)}, ${mb(unpackedSize)} in ${entryCount} files`)
}
