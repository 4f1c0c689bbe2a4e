// Reads whole files in tests.

import {
  type BankStatement,
  collectStatements,
} from '../../../src/bank/statements/check-balances.ts'
import type { ColumnMap } from '../../../src/bank/statements/column-map.ts'
import { readStatementFile } from '../../../src/bank/statements/read-statement-file.ts'
import { columnMap } from './write-samples.ts'

export function readAll(
  file: string | Buffer,
  map: ColumnMap | undefined = columnMap,
): Promise<BankStatement[]> {
  return collectStatements(readStatementFile([Buffer.from(file)], map))
}

/** Reads it in chunks of these sizes, from the start again when they are used up. */
export function readInChunks(file: string | Buffer, sizes: number[]): Promise<BankStatement[]> {
  return collectStatements(readStatementFile(chunksOf(Buffer.from(file), sizes), columnMap))
}

function* chunksOf(file: Buffer, sizes: number[]): Generator<Buffer> {
  let at = 0
  for (let n = 0; at < file.length; n++) {
    const size = sizes[n % sizes.length]!
    yield file.subarray(at, at + size)
    at += size
  }
}
