import type { AccountLock } from '../ledger/lock-row.ts'
import type { LaneRow, RowSet } from './row-set.ts'

interface KindCommand {
  kind: string
  account_id: string
}

/**
 * A function for each kind of command. Each runs all its checks before it changes anything, so a
 * rejected command leaves the set unchanged for the commands after it.
 */
type Deciders<Rows, Command extends KindCommand, Row> = {
  [Kind in Command['kind']]: (
    set: Rows,
    lock: AccountLock,
    command: Extract<Command, { kind: Kind }>,
  ) => Row
}

/** `noAccount` is the error for an account that does not exist, or that `isUsable` rejects. */
export function decideByKind<
  Rows extends RowSet<Row>,
  Command extends KindCommand,
  Row extends LaneRow,
>(
  deciders: Deciders<Rows, Command, Row>,
  noAccount: (command: Command) => Error,
  isUsable: (lock: AccountLock) => boolean = () => true,
): (set: Rows, command: Command) => Row {
  return (set, command) => {
    const lock = set.locked.locks.get(command.account_id)
    if (lock === undefined || !isUsable(lock)) throw noAccount(command)
    const kind: Command['kind'] = command.kind
    return deciders[kind](set, lock, command as Extract<Command, { kind: typeof kind }>)
  }
}
