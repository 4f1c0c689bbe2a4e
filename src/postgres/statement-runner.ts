import type { StatementResult } from './driver/flush.ts'
import type { Sql } from './sql.ts'

/** Anything that runs statements: the pool for single reads, or a database transaction. */
export interface Queryable {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** The only row, or undefined. */
  row<Row>(statement: Sql): Promise<Row | undefined>
  /** How many rows the statement wrote. */
  count(statement: Sql): Promise<number>
}

export abstract class StatementRunner implements Queryable {
  protected abstract runStatement(statement: Sql): Promise<StatementResult>

  async rows<Row>(statement: Sql): Promise<Row[]> {
    return (await this.runStatement(statement)).rows as Row[]
  }

  async row<Row>(statement: Sql): Promise<Row | undefined> {
    return (await this.runStatement(statement)).rows[0] as Row | undefined
  }

  async count(statement: Sql): Promise<number> {
    return (await this.runStatement(statement)).count
  }
}
