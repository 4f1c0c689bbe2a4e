// Lists and retrieves receipts and credit notes.

import { getActingAccountId } from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { type Document, type DocumentRow, type DocumentType, presentDocument } from './document.ts'
import { selectDocument, selectDocumentPage, selectNumberFacts } from './queries.ts'

export { erased_documents } from './queries.ts'

interface DocumentQuery extends CursorQuery {
  type?: DocumentType | undefined
}

export async function listDocuments(
  db: Db,
  caller: Caller,
  { type, ...query }: DocumentQuery,
): Promise<CursorPage<Document>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await pageByCursor(query, 'document', {
    exists: async (id) => (await selectDocument(db, { account_id, id })) !== undefined,
    select: (range) => selectDocumentPage(db, account_id, type, range),
  })
  return { ...page, data: page.data.map(presentDocument) }
}

export async function getDocument(
  db: Db,
  caller: Caller,
  document_id: string,
): Promise<DocumentRow> {
  const id = findUuid('document', document_id)
  const account_id = await getActingAccountId(db, caller)
  const row = id && (await selectDocument(db, { account_id, id }))
  if (!row) throw new Refusal('not_found', 'No document with this id exists.')
  return row
}

/** The numbers of each account are 1, 2, 3, … without a gap. */
export async function verifyDocuments(
  db: Queryable,
  range: AccountRange,
  locks: AccountLock[],
): Promise<Difference[]> {
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  return (await selectNumberFacts(db, range)).flatMap((facts) => {
    const account_id = toTypeId('account', facts.account_id)
    const lock = lock_of.get(facts.account_id)
    const of_account = { account_id, object: 'documents' }
    if (lock === undefined) {
      const found = 'documents of an account without a balance'
      return [{ rule: 'documents_have_a_balance', ...of_account, found, expected: 'none' }]
    }
    const differences: Difference[] = []
    if (facts.documents !== facts.last_number) {
      const found = `${facts.documents} documents`
      const expected = `${facts.last_number}, the last number`
      differences.push({ rule: 'documents_have_no_gaps', ...of_account, found, expected })
    }
    return differences
  })
}
