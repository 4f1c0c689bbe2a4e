// Rules for migrations after the baseline: see docs/decisions/0047-rolling-upgrades.md.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  knownMigrations,
  type MigrationFile,
  parseMigration,
  readMigrations,
} from '../../src/postgres/migration-files.ts'

// The schema of a new database. No process runs on it yet.
const baseline = '0009_request_logs'

// Databases are distributed from this migration on, and Citus does not rename constraints.
const last_before_citus = '0022_finish_0_1'

test('migrations run next to the previous version without blocking it', () => {
  const files = readMigrations().filter(({ name }) => name > baseline)
  assert.ok(files.length > 0)
  assert.deepEqual(files.flatMap(findFaults), [])
})

test('a statement of each kind that would break or block the previous version is found', () => {
  const faulty = {
    'alter table users drop column name': 'removes',
    'drop table emails': 'removes',
    'drop index users_admins': 'removes',
    'alter table users drop constraint users_role_is_known': 'removes',
    'alter table users rename column name to title': 'renames',
    'alter table users rename to people': 'renames',
    'alter table users rename constraint a to b': 'renames',
    'alter table users rename constraint a to a_until_finished': 'renames',
    'alter table users add column title text not null': 'without a default',
    'alter table users alter column name set not null': 'changes a column',
    'alter table users alter column name type varchar(9)': 'changes a column',
    'alter table users add column age int check (age > 0)': 'checks all rows',
    'alter table users add constraint adult check (age > 17)': 'checks all rows',
    'create index users_by_age on users (age)': 'blocks writes',
    'update users set age = 18': 'locks rows',
    'delete from users': 'locks rows',
    'truncate users': 'not allowed',
    'create view adults as select 1': 'not allowed',
  }
  for (const [statement, fault] of Object.entries(faulty)) {
    const file = parseMigration('9999_x', `-- runs alongside: ${baseline}\n\n${statement};\n`)
    assert.match(findFaults(file).join(), new RegExp(fault), statement)
  }
})

test('the header must be complete', () => {
  const faultsOf = (header: string, code = 'create table x (id int)') =>
    findFaults(parseMigration('9999_x', `${header}\n\n${code};\n`)).join()
  assert.match(faultsOf('-- A comment.'), /"-- runs alongside: …"/)
  assert.match(faultsOf('-- runs alongside: 0000_nothing'), /0000_nothing does not exist/)
  assert.match(faultsOf(`-- runs alongside: ${baseline}\n-- online`), /only "create index conc/)
  const contract = `-- runs alongside: ${baseline}\n-- contract: 0.1`
  assert.equal(faultsOf(contract, 'alter table users drop column name'), '')
  assert.match(faultsOf(contract, 'create index a on users (name)'), /blocks writes/)
})

function findFaults(file: MigrationFile): string[] {
  const { name, runs_alongside, is_online, contract_of } = file
  const faults = file.statements.flatMap((statement) => {
    const fault = is_online ? onlineFault(statement) : faultOf(statement, file)
    return fault === undefined ? [] : [`${name}: ${fault}: ${statement.slice(0, 80)}`]
  })
  if (runs_alongside === null) faults.push(`${name}: add "-- runs alongside: …" to its header`)
  else if (!knownMigrations().includes(runs_alongside)) {
    faults.push(`${name}: ${runs_alongside} does not exist`)
  }
  if (is_online && contract_of !== null) faults.push(`${name}: either online or contract`)
  return faults
}

function onlineFault(statement: string): string | undefined {
  if (/^create (unique )?index concurrently \w+\s+on \w+\s/.test(statement)) return undefined
  return 'only "create index concurrently" is online'
}

const new_table = /^create table (\w+)/

/** Why a statement must not run in a transaction while the previous version runs. */
function faultOf(statement: string, file: MigrationFile): string | undefined {
  const created = file.statements.flatMap((one) => new_table.exec(one)?.[1] ?? [])
  if (new_table.test(statement)) return undefined
  const index = /^create (?:unique )?index \w+\s+on (\w+)/.exec(statement)
  if (index) {
    return created.includes(index[1]!)
      ? undefined
      : 'an index on a table with rows blocks writes: create it in an "-- online" migration'
  }
  const alter = /^alter table (\w+)\s+(.*)$/s.exec(statement)
  if (alter && created.includes(alter[1]!)) return undefined
  if (alter && replacesConstraint(alter, file)) return undefined
  const removes = /\bdrop (column|constraint|default|not null|table|index)\b/.test(statement)
  if (removes && file.contract_of === null) return 'removes what the previous version may use'
  if (removes) return undefined
  if (alter) return alterFault(alter[2]!, file)
  // Rows of a new table may be derived from old ones, which stay as they are.
  const insert = /^insert into (\w+)/.exec(statement)
  if (insert && (created.includes(insert[1]!) || file.contract_of !== null)) return undefined
  if (/^(insert|update|delete)\b/.test(statement)) return 'locks rows that payments change'
  return 'not allowed here'
}

/** A wider constraint takes the name, and a gate checks new rows as before. */
function replacesConstraint(
  [, table, changes]: RegExpExecArray,
  { statements }: MigrationFile,
): boolean {
  const dropped = /^drop constraint (\w+)$/.exec(changes!)?.[1]
  if (dropped === undefined) return false
  const adds = (name: string) =>
    statements.some((one) =>
      new RegExp(`^alter table ${table}\\s+add constraint ${name}\\b`).test(one),
    )
  return adds(dropped) && adds('\\w+_until_finished')
}

function alterFault(changes: string, { name }: MigrationFile): string | undefined {
  if (/\brename\b/.test(changes)) {
    const renames_gate = /^rename constraint \w+\s+to \w+_until_finished$/.test(changes)
    const is_gate = renames_gate && name <= last_before_citus
    return is_gate ? undefined : 'renames what the previous version may use'
  }
  if (/\balter column\b/.test(changes)) return 'changes a column that the previous version uses'
  if (/(?<!is )\bnot null\b(?! default)/.test(changes))
    return 'a column without a default breaks inserts'
  if (/\bcheck\b/.test(changes) && !/\bnot valid$/.test(changes)) {
    return 'checks all rows while payments wait: add "not valid"'
  }
  return /^add (column|constraint)\b/.test(changes) ? undefined : 'not allowed here'
}
