// Florin is written in plain American technical English: docs/concepts/glossary.md has the terms.
// Each rule below names a word we retired and what to write instead. Identifiers are split into
// words first, so `findLetters` and `letters_sent` are read as "find letters" and "letters sent".

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, sourceFiles } from './support/source-tree.ts'

interface Rule {
  word: RegExp
  use: string
  /** Phrases in which the word has its ordinary meaning. */
  except?: RegExp
}

const alphabet = new RegExp(
  'letters?[ -](and|or|spacing|of the alphabet)|letters,|' +
    '(case|capital|small|latin|three|two|each|its|one|of) letters?\\b',
  'gi',
)

const rules: Rule[] = [
  { word: /\bletters?\b/i, use: 'email', except: alphabet },
  { word: /\bpost[ -]?office\b/i, use: 'SMTP transport' },
  { word: /\banswer(s|ed|ing)?\b/i, use: 'response, result; returns, responds' },
  { word: /\bdeeds?\b/i, use: 'audit entry, action' },
  // An option of Node's DNS resolver has this name.
  { word: /\btries\b(?! to\b|: 2)/i, use: 'attempts' },
  { word: /\b(a|an|the|each|every|next|first|last|per|one|this|that) try\b/i, use: 'attempt' },
  { word: /\bjudg(e|es|ed|ing)\b/i, use: 'validate, check, authorize' },
  {
    word: /\b(whoever|whomever|somebody|nobody)\b/i,
    use: 'the caller, the client, no one',
    // A system user.
    except: /['`]nobody['`]/g,
  },
  { word: /\b(is|are|was|were|be|been|being) told\b/i, use: 'receives, is notified' },
  { word: /\b(tells|hears|says)\b/i, use: 'returns, reports, logs, receives, states' },
  { word: /\basked for\b/i, use: 'requested, queried' },
  { word: /\bcame\b/i, use: 'got …, was received, arrived' },
  { word: /\bmend(s|ed|ing)?\b/i, use: 'fix, repair' },
  { word: /\banew\b/i, use: 'again, restart' },
  { word: /\bfor ever\b/i, use: 'forever, indefinitely' },
  { word: /\bnought\b/i, use: 'zero' },
  { word: /\bin vain\b/i, use: 'without success' },
  { word: /\bheed(s|ed|ing)?\b/i, use: 'honor, respect' },
  { word: /\bbeside\b/i, use: 'next to, alongside' },
  { word: /\bof (its|their|our|your|one's|his|my) own\b/i, use: 'separate, dedicated, custom' },
  {
    word: /(?<!\bthere )\b(is|are) no (?!longer\b|more\b|less\b|later\b|one\b|earlier\b|t\b)[a-z]/i,
    use: 'is not a …',
  },
  { word: /\btroubled?\b/i, use: 'failing, failure, outage', except: /troubleshoot\w*/gi },
  { word: /\bpass(es|ed|ing)?[ -]by\b/i, use: 'skip' },
  { word: /\baside\b/i, use: 'waiting lane, waiting pool', except: /<\/?aside\b/g },
  {
    word: /\bbooks?\b/i,
    use: 'ledger, balances, postings',
    // A status in ISO 20022.
    except: /['>]BOOK['<]/g,
  },
  { word: /\bkept[ -](answers?|responses?)\b/i, use: 'stored response' },
  { word: /\b(hush|knock|hang up|asking much)\b/i, use: 'stop accepting, probe, disconnect' },
  { word: /\b(log|sign)-in\b|\blog-out\b|\bsign in\b/i, use: 'log in (verb), login (noun)' },
  {
    word: /\b(type|interface|class) (Done|Asked|Tried|Told|Shared|Waiting|Step|Answer|Kept)\b/,
    use: 'a noun that explains itself at the import',
  },
  {
    word: /\b(colou?r|favou?r|honou?r|behaviou?r|neighbou?r)(?<=our)\w*/i,
    use: 'American spelling: color, favor, honor, behavior, neighbor',
  },
  {
    word: /\b(seriali|initiali|normali|authori|recogni|organi|optimi)s(e|ed|es|ing|ation)\b/i,
    use: 'American spelling: -ize',
  },
  {
    word: /\b(cancelled|cancelling|discs?|licence)\b/i,
    use: 'canceled, disk, license',
    // A method of the Model Context Protocol.
    except: /notifications\/cancelled/g,
  },
]

// `place` had nine meanings as an identifier. As a word it is fine.
const placeName =
  /\b(?!\w*([Rr]eplace|[Pp]laceholder|placed|displace))\w*(Place|_place)\w*\b|\bplace_\w+/

const generated =
  /^(client\/(dist|src\/generated)|web\/dashboard\/dist|docs\/images)|\/_generated\//

const folders = [
  'bench',
  'bin',
  'client',
  'client-python',
  'docs',
  'examples',
  'mcp',
  'migrations',
  'packaging',
  'src',
  'test',
  'web',
]
const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...folders.flatMap((folder) => sourceFiles(folder, /\.(tsx?|mjs|py|md|css|html|sql)$/)),
].filter((path) => !generated.test(path) && !path.includes('node_modules/'))

test('retired words do not come back', () => {
  const found = files
    .filter((path) => path !== 'test/language.test.ts')
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      // Reading a whole file at once takes a third of the time, and most files have no match.
      if (offences(`${path}\n${text}`).length === 0) return []
      const lines = text.split('\n')
      return [path, ...lines].flatMap((line, at) =>
        offences(line).map((it) => `${path}:${at}: ${it}`),
      )
    })
  assert.equal(found.length, 0, `docs/concepts/glossary.md has the terms.\n  ${found.join('\n  ')}`)
})

test('the rules find what they retire, and leave ordinary English alone', () => {
  for (const line of [
    'const sent_letters = 3',
    'findTroubled(db)',
    'Each try is kept.',
    'currency must be USD; EUR came.',
    'interface Place_Of { databasePlace: string }',
    'A key is no session.',
  ]) {
    assert.notEqual(offences(line).length, 0, line)
  }
  for (const line of [
    'at most 40 letters, digits or dashes',
    'it tries to connect again',
    'there is no default',
    'const placeholder = replace(text)',
    'try {',
  ]) {
    assert.deepEqual(offences(line), [], line)
  }
})

function offences(line: string): string[] {
  const words = line.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  const found = rules.flatMap(({ word, use, except }) => {
    const match = word.exec(except ? words.replace(except, '') : words)
    return match ? [`"${match[0]}" → ${use}`] : []
  })
  const place = placeName.exec(line)
  return place ? [...found, `"${place[0]}" → bucket, slot, owner, location`] : found
}
