// The statement against the movements that the model counted. It is read oldest first, line by
// line: each one must follow from the last, and those of one turn may come in any order.

import { type StatementGroup, showLine, statementOf } from '../ledger.ts'
import { unify } from '../unify.ts'
import type { Account, Posting, World } from '../world.ts'
import { type Server, send } from './server.ts'

interface Line {
  sequence: number
  available_after: number
}

export async function checkStatement(
  server: Server,
  world: World,
  account: Account,
): Promise<void> {
  const lines = (await readLines(server, world, account)).toReversed()
  let before = 0
  for (const turn of statementOf(account)) {
    const left = [...turn.lines]
    while (left.length > 0) before += takeLine(left, turn, lines.shift(), before)
  }
  if (lines.length > 0) throw new Error(`the statement has too much: ${JSON.stringify(lines)}`)
}

/** What the line adds to available; the movement that it shows is taken out. */
function takeLine(
  left: Posting[],
  { first, last }: StatementGroup,
  line: Line | undefined,
  before: number,
): number {
  if (line === undefined) throw new Error(`the statement lacks a line after ${before}`)
  const { sequence, available_after, ...shown } = line
  if (sequence < first || sequence > last) {
    throw new Error(`line ${sequence} must have a number from ${first} to ${last}`)
  }
  const faults: string[] = []
  for (const posting of left) {
    const fault =
      before + posting.available === available_after
        ? unify(showLine(posting), shown)
        : `available_after must be ${before + posting.available}`
    if (fault === undefined) {
      left.splice(left.indexOf(posting), 1)
      return posting.available
    }
    faults.push(fault)
  }
  throw new Error(`the statement's line ${JSON.stringify(line)}: ${faults.join('; ')}`)
}

async function readLines(server: Server, world: World, account: Account): Promise<Line[]> {
  const lines: Line[] = []
  for (let more = true; more; ) {
    const cursor = lines.length > 0 ? `&starting_after=${lines.at(-1)!.sequence}` : ''
    const path = `/v1/account/statement?limit=9${cursor}`
    const request = { method: 'GET', path, caller: { session: server.root }, account }
    const { body, text } = await send(server, world, request)
    if (!Array.isArray(body?.data)) throw new Error(`the statement cannot be read: ${text}`)
    lines.push(...body.data)
    more = body.has_more
  }
  return lines
}
