// `npm run release [-- FOLDER]`: writes the files of a release into FOLDER or tarballs/: packages,
// bill of materials, licenses, release notes and checksums. docs/reference/releases.md has the
// steps before and after.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureDashboardBuilt } from '../web/dashboard/ensure-built.ts'
import { releaseNotes, releaseProblems } from './check-release.ts'
import { printNotices } from './print-notices.ts'
import { makeSbom } from './sbom.ts'
import { thirdPartyPackages } from './third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = resolve(process.argv[2] ?? 'tarballs')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tag = `v${version}`

const problems = [...gitProblems(), ...folderProblems(), ...releaseProblems(root)]
if (problems.length > 0) {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
} else {
  makeRelease()
}

function makeRelease(): void {
  mkdirSync(out, { recursive: true })
  ensureDashboardBuilt()
  run(process.execPath, 'packaging/pack.ts', out)
  const packages = thirdPartyPackages(root)
  const put = (name: string, text: string) => writeFileSync(join(out, name), text)
  put('THIRD-PARTY-NOTICES.md', printNotices(root, packages))
  put('sbom.cdx.json', makeSbom(root, packages, git('log', '-1', '--format=%cI')))
  put('release-notes.md', releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)!)
  put('SHA256SUMS', checksums())
  console.log(`Florin ${version} is in ${out}. Next: git tag --annotate ${tag}`)
}

function gitProblems(): string[] {
  const changed = git('status', '--porcelain')
  const tagged = git('tag', '--list', tag) === '' ? undefined : git('rev-parse', `${tag}^{commit}`)
  const head = git('rev-parse', 'HEAD')
  return [
    ...(changed === '' ? [] : [`Commit or remove what is not committed:\n${changed}`]),
    ...(tagged === undefined || tagged === head
      ? []
      : [`The tag ${tag} is another commit, ${tagged}: choose the next version.`]),
  ]
}

/** SHA256SUMS must list the files of this release only. */
function folderProblems(): string[] {
  const is_empty = !existsSync(out) || readdirSync(out).length === 0
  return is_empty ? [] : [`${out} is not empty: remove it, or name another folder.`]
}

/** In the format of sha256sum. */
function checksums(): string {
  const names = readdirSync(out).sort()
  const lines = names.map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex')
    return `${hash}  ${name}\n`
  })
  return lines.join('')
}

function git(...args: string[]): string {
  return run('git', ...args).trim()
}

function run(program: string, ...args: string[]): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`)
  return stdout
}
