// `npm run build`: builds the dashboard into dist/. Processes that build at the same time do not
// disturb each other or a server that reads dist/: each builds into a separate folder, and a rename
// replaces all files at once.

import { randomUUID } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { dist, hashSources, stamp } from './ensure-built.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

const common_parts = new RegExp(
  'src/parts/(button|card|copy-button|curl-line|data-list|truncated-text|days|failure|icon|money|' +
    'page-header|segments|short-id|status|use-copy|when)\\.tsx?$',
)

removeAbandoned()
const fresh = `${dist}.new-${randomUUID()}`
const old = `${dist}.old-${randomUUID()}`
try {
  // Before the build: if a source changes during the build, the result counts as stale.
  const hash = hashSources()
  await buildInto(fresh)
  writeFileSync(join(fresh, stamp), hash)
  replaceDist()
} finally {
  for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true })
}

async function buildInto(outDir: string): Promise<void> {
  await build({
    root: here,
    base: '/dashboard/',
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      // The packages in the scripts, for the notices of a release. The server does not serve it.
      license: { fileName: 'licenses.json' },
      // No inlining: the Content-Security-Policy allows only files from this origin.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      // Keeps light-dark() untranspiled. All browsers support it since May 2024.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // Small modules that nearly every page needs compress better in one file.
          codeSplitting: {
            groups: [{ name: 'parts', test: common_parts }],
          },
        },
      },
      chunkSizeWarningLimit: 600,
    },
  })
}

function replaceDist(): void {
  renameUnless(['ENOENT'], dist, old)
  // Another process has just moved its build here.
  renameUnless(['ENOTEMPTY', 'EEXIST'], fresh, dist)
}

function renameUnless(codes: string[], from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!codes.includes((error as NodeJS.ErrnoException).code!)) throw error
  }
}

/** Folders of builds that were killed. No build takes an hour. */
function removeAbandoned(): void {
  const folders = readdirSync(here).filter((name) => /^dist\.(new|old)-/.test(name))
  for (const name of folders) {
    const path = join(here, name)
    const age_ms = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age_ms > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
}
