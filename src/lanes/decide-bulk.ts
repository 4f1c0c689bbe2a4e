// Decides the commands of a bulk entry in their order. An entry that is rejected as a whole leaves
// the set as it was, because the other entries of the batch are decided on the same set.

import { Refusal } from '../primitives/refusal.ts'
import { quote } from '../primitives/text.ts'
import type { BulkEntry, BulkItem } from './lane-entry.ts'
import type { LaneRow, RowSet } from './row-set.ts'

export function decideBulk<Command, Row extends LaneRow, Rows extends RowSet<Row>>(
  decide: (set: Rows, command: Command) => Row,
  set: Rows,
  entry: BulkEntry<Command, Row>,
): { body: string; changed: Row[] } {
  const undo = set.savepoint(entry.account_id)
  try {
    const items = entry.commands.map((command, at): BulkItem<Row> => {
      try {
        return { row: decide(set, command) }
      } catch (error) {
        return { refusal: itemRefusal(error, `${entry.field}.${at}`, entry.atomic) }
      }
    })
    const changed = items.flatMap((item) => ('row' in item ? [item.row] : []))
    return { body: entry.render(items), changed }
  } catch (error) {
    undo()
    throw error
  }
}

/** The result of one item. Throws an error that rejects all items. */
function itemRefusal(error: unknown, item: string, atomic: boolean): Refusal {
  if (!(error instanceof Refusal) || error.details.of_account) throw error
  if (!atomic) return error
  throw wholeRefusal(error, item)
}

/** The error of a request that is rejected because of one item. */
export function wholeRefusal({ code, message, details }: Refusal, item: string): Refusal {
  const text = `${quote(item)} was rejected, so nothing was created. ${message}`
  return new Refusal(code, text, details)
}
