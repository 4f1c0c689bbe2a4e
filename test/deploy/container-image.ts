// Builds the image of the Containerfile with Podman, and runs containers. No base image can be
// pulled in every environment, so the base is made of Debian packages and the Node.js of the tests.
// Everything is in one folder, which is removed afterwards.

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const programs = ['podman', 'runc', 'mmdebstrap', 'npm']
const missing = programs.filter((program) => !has(program))

/** Not in every container, even as root. */
export const can_isolate = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0

export const without_podman =
  (process.getuid?.() !== 0 && 'containers are tested by root only') ||
  (missing.length > 0 && `${missing.join(', ')} missing: install podman, runc and mmdebstrap`) ||
  (!can_isolate && 'this machine permits no namespaces')

// What a Debian slim image has, as far as the Containerfile needs it, and libraries of Node.js.
const packages =
  'base-files,base-passwd,bash,coreutils,dash,findutils,grep,libatomic1,libc-bin,libstdc++6,' +
  'passwd,sed'

/** What a container may do, as in deploy/compose.yaml. */
export const hardening = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
]

interface ProgramResult {
  code: number
  stdout: string
  stderr: string
}

export class Podman {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Not in memory: the layers of an image have more than a gigabyte. */
  static async start(): Promise<Podman> {
    return new Podman(await mkdtemp('/var/tmp/florin-image-'))
  }

  async run(...args: string[]): Promise<ProgramResult> {
    const storage = ['--root', join(this.folder, 'storage'), '--runroot', join(this.folder, 'run')]
    // Neither needs systemd.
    const runtime = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
    const options = { maxBuffer: 64 << 20, cwd: this.folder }
    return promisify(execFile)('podman', [...storage, ...runtime, ...args], options).then(
      (ended) => ({ code: 0, ...ended }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    )
  }

  /** Like `run`, but throws if the command fails. Returns its output. */
  async must(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args)
    if (code === 0) return stdout
    throw new Error(`podman ${args.join(' ')} failed with ${code}:\n${stdout}\n${stderr}`)
  }

  /** Starts a container and returns its name. The network is that of the host. */
  async launch(name: string, args: string[], command: string[] = []): Promise<void> {
    // The limits of Podman are higher than those that some machines permit.
    const limits = ['--ulimit=nofile=1000:1000', '--ulimit=nproc=1000:1000']
    const options = ['--detach', '--network=host', ...limits, `--name=${name}`]
    await this.must('run', ...options, ...args, 'florin', ...command)
  }

  async exitCode(name: string): Promise<string> {
    return (await this.must('inspect', '--format={{.State.ExitCode}}', name)).trim()
  }

  async end(): Promise<void> {
    await this.run('rm', '--all', '--force', '--time=0')
    await this.run('umount', '--all', '--force')
    await rm(this.folder, { recursive: true, force: true })
  }
}

export async function buildImage(podman: Podman): Promise<void> {
  await buildBase(podman)
  // The packages that npm downloaded before, so that the build needs no network where possible.
  const cache = join(homedir(), '.npm')
  const volume = existsSync(cache) ? [`--volume=${cache}:/root/.npm`] : []
  const how = ['--format=docker', '--network=host', '--isolation=chroot', '--layers=false']
  const what = ['--build-arg=BASE=florin-base', '--tag=florin', root]
  await podman.must('build', ...how, ...volume, ...what)
}

async function buildBase(podman: Podman): Promise<void> {
  const folder = join(podman.folder, 'base')
  const archive = join(podman.folder, 'base.tar')
  // The packages are extracted, not configured, which saves most of the time.
  const args = ['--quiet', '--variant=extract', `--include=${packages}`, 'bookworm', folder]
  await promisify(execFile)('mmdebstrap', args)
  await cp(await realpath(process.execPath), join(folder, 'usr/local/bin/node'))
  await cp(await findNpm(), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
  const finish = `ldconfig && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
    cd /usr/share/base-passwd && cp passwd.master /etc/passwd && cp group.master /etc/group`
  await promisify(execFile)('chroot', [folder, 'sh', '-euc', finish])
  const env = ['npm_config_prefer_offline=true']
  // Behind a proxy that inspects TLS, npm needs its certificates.
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates !== undefined) {
    await cp(certificates, join(folder, 'etc/certificates'))
    env.push('NODE_EXTRA_CA_CERTS=/etc/certificates')
  }
  await promisify(execFile)('tar', ['--create', `--file=${archive}`, `--directory=${folder}`, '.'])
  await podman.must('import', ...env.map((one) => `--change=ENV=${one}`), archive, 'florin-base')
}

/** The package of npm: its program is bin/npm-cli.js. */
async function findNpm(): Promise<string> {
  const { stdout } = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' })
  return dirname(dirname(await realpath(stdout.trim())))
}
