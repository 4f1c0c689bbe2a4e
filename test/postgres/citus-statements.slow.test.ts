// Every statement of Florin is planned and run on a Citus cluster, as tests send it, and with one
// more account, so with accounts of two shards.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { without_citus } from '../support/citus.ts'
import type { CitusPlan } from '../support/citus-plans.ts'
import { contains, type Template } from '../support/find-templates.ts'
import {
  onEmptyCluster,
  type PlannedTemplate,
  planAll,
  recordRun,
  templatesOfSource,
} from '../support/replay.ts'
import {
  by_shard,
  files,
  not_on_citus,
  of_seed,
  one_shard_at_a_time,
  parts_of_statements,
  several_shards,
} from './citus-statements.ts'

test('Citus accepts every statement, and only listed ones use several shards', {
  skip: without_citus,
}, async (t) => {
  const run = await recordRun(files)
  assert.ok(run.passed, run.output)
  const templates = templatesOfSource().filter(({ is_fragment }) => !is_fragment)
  const planned = await onEmptyCluster((client) => planAll(client, run.statements, templates))
  const namesOf = (wanted: (one: PlannedTemplate) => boolean) =>
    uniqueNames(planned.filter(wanted).map(({ template }) => template))
  const several = namesOf(({ kinds }) => usesSeveral(kinds))
  // Does not depend on the random ids of the accounts: one of them is always in another shard.
  const several_for_two = namesOf(({ with_account }) => usesSeveral(with_account))
  const refused_for_two = namesOf(({ with_account }) => with_account.has('refused'))
  const sent_parts = new Set(planned.map(({ template }) => template.parts.join('\0')))
  const unsent = templates.filter(({ parts }) => !sent_parts.has(parts.join('\0')))
  const texts = [...new Set(run.statements.map(({ text }) => text))]
  const missing = unsent.filter((one) => !isPlain(one) && !isPart(one, texts))
  const may_use_several = [...several_shards, ...by_shard, ...of_seed]
  const listed = [...one_shard_at_a_time, ...may_use_several]
  const unsent_names = [...parts_of_statements, ...not_on_citus.map(({ name }) => name)]
  t.diagnostic(`${templates.length - unsent.length} of ${templates.length} statements are sent`)
  t.diagnostic(`${several.length} in several shards, ${refused_for_two.length} only in one`)
  assert.deepEqual(
    {
      refused: planned.filter(({ kinds }) => kinds.has('refused')).map(describeRefusal),
      refused_for_two: without(refused_for_two, one_shard_at_a_time),
      in_several_shards: without(several, [...several_shards, ...of_seed]),
      in_several_shards_for_two: without(several_for_two, may_use_several),
      not_sent_by_any_test: uniqueNames(missing),
      not_in_the_source: without(listed, uniqueNames(templates)),
      listed_as_unsent_and_sent: without(unsent_names, uniqueNames(unsent)),
    },
    {
      refused: [],
      refused_for_two: [],
      in_several_shards: [],
      in_several_shards_for_two: [],
      not_sent_by_any_test: [],
      not_in_the_source: [],
      listed_as_unsent_and_sent: [],
    },
  )
})

function isPlain(template: Template): boolean {
  return not_on_citus.some(
    ({ name, starts }) => name === nameOf(template) && template.parts[0]!.startsWith(starts),
  )
}

function isPart(template: Template, texts: string[]): boolean {
  const is_listed = parts_of_statements.includes(nameOf(template))
  return is_listed && texts.some((text) => contains(text, template))
}

function usesSeveral(kinds: ReadonlyMap<CitusPlan['kind'], unknown>): boolean {
  return kinds.has('many') || kinds.has('steps') || kinds.has('pulled')
}

function describeRefusal({ template, kinds }: PlannedTemplate): string[] {
  const { plan, sample } = kinds.get('refused')!
  return [nameOf(template), plan.message ?? '', sample.text]
}

function nameOf({ file, owner }: Template): string {
  return `${file} ${owner}`
}

function uniqueNames(templates: Template[]): string[] {
  return [...new Set(templates.map(nameOf))].sort()
}

function without(names: string[], listed: string[]): string[] {
  return names.filter((name) => !listed.includes(name))
}
