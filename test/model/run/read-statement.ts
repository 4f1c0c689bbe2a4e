// Compares the statement with the model's movements. It is read oldest first, line by line: each
// must follow from the previous one, and lines of one turn may come in any order.

import { type StatementGroup, showLine, statementOf } from '../ledger.ts'
import { unify } from '../unify.ts'
import type { Account, Posting, World } from '../world.ts'
import { type Server, send } from './server.ts'

interface StatementLine {
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
  if (lines.length > 0) throw new Error(`unexpected statement lines: ${JSON.stringify(lines)}`)
}

/** Returns what the line adds to available, and removes the matching movement from `left`. */
function takeLine(
  left: Posting[],
  { first, last }: StatementGroup,
  line: StatementLine | undefined,
  before: number,
): number {
  if (line === undefined) throw new Error(`a statement line is missing after ${before}`)
  const { sequence, available_after, ...shown } = line
  if (sequence < first || sequence > last) {
    throw new Error(`line ${sequence} must have a sequence from ${first} to ${last}`)
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
  throw new Error(`statement line ${JSON.stringify(line)}: ${faults.join('; ')}`)
}

async function readLines(server: Server, world: World, account: Account): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  for (let more = true; more; ) {
    const cursor = lines.length > 0 ? `&starting_after=${lines.at(-1)!.sequence}` : ''
    const path = `/v1/account/statement?limit=9${cursor}`
    const request = { method: 'GET', path, caller: { session: server.root }, account }
    const { body, text } = await send(server, world, request)
    if (!Array.isArray(body?.data)) throw new Error(`failed to read the statement: ${text}`)
    lines.push(...body.data)
    more = body.has_more
  }
  return lines
}
