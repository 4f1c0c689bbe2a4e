// Bank statements: import, entries and their matching, column maps for CSV. For operators only.

import { Type } from 'typebox'
import { entryStatuses, readEntryId } from '../../bank-statements/bank-entry.ts'
import {
  listColumnMaps,
  removeColumnMap,
  saveColumnMap,
} from '../../bank-statements/column-maps.ts'
import { ignoreEntry, matchEntry, reopenEntry } from '../../bank-statements/decide-entry.ts'
import {
  getEntry,
  getStatement,
  listEntries,
  listStatements,
} from '../../bank-statements/find-statements.ts'
import { importStatements } from '../../bank-statements/import-statements.ts'
import { requirePermission } from '../../identity/permissions.ts'
import { requireFreshLogin } from '../../identity/sessions/fresh-login.ts'
import { Refusal } from '../../primitives/refusal.ts'
import type { FileBody } from '../file-body.ts'
import { body_max_bytes } from '../json-body.ts'
import { route } from '../route.ts'
import { columnMapSchema } from '../schemas/bank-statement.ts'
import {
  completeList,
  cursorList,
  cursorQuery,
  idOf,
  oneOf,
  strictObject,
  withoutBody,
} from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Bank statements']
const read = { token: 'required', operation: 'read_bank_statements' } as const
const manage = { token: 'required', operation: 'manage_bank_statements' } as const

const entryParams = Type.Object({ entry_id: idOf('bse', 'The id of the entry.') })
const unknown_entry = ['not_found', 'No bank entry with this id exists.'] as const
const decided = [
  'conflict',
  'The entry is settling, settled or replaced by its transfers.',
] as const

const note = Type.Optional(
  Type.String({
    format: 'line',
    maxLength: 255,
    description: 'Why. Stored with the entry.',
    examples: ['Confirmed by phone.'],
  }),
)

const mapName = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 100,
  description: 'The name of the column map.',
  examples: ['Sparkasse'],
})

export const importBankStatementRoute = route({
  method: 'POST',
  url: '/v1/bank_statements',
  access: { ...manage, file: true },
  bodyLimit: body_max_bytes.file,
  schema: {
    tags,
    operationId: 'importBankStatement',
    summary: 'Import a bank statement',
    description:
      'For admins and platforms. The body is the file as the bank provides it, up to 10 MiB: ' +
      'camt.053, camt.054, MT940, OFX, or CSV with a saved column map. Nothing is stored if the ' +
      'file is malformed, or if its entries and balances do not add up. Importing it again ' +
      'changes nothing. A worker settles the payment requests whose reference and amount an ' +
      'entry has; other entries stay open.',
    querystring: Type.Object({ column_map: Type.Optional(mapName) }),
  },
  success: [200, 'The statements in the file.', completeList('BankStatement')],
  refusals: [
    ['invalid_request', 'The file is malformed, or its balances do not add up.'],
    [413, 'invalid_request', 'The file is too large.'],
    [415, 'invalid_request', 'The body is not application/octet-stream.'],
    refused.notPermitted,
  ],
  handler: ({ caller, body, query }, { db }) => {
    if (body == null) {
      throw new Refusal(
        'invalid_request',
        'The request body must be the file, as application/octet-stream; got nothing.',
      )
    }
    return importStatements(db, caller, { file: body as FileBody, column_map: query.column_map })
  },
})

/** Their bodies are files. */
export const bankFileRoutes = [importBankStatementRoute]

export const listBankStatementsRoute = route({
  method: 'GET',
  url: '/v1/bank_statements',
  access: read,
  schema: {
    tags,
    operationId: 'listBankStatements',
    summary: 'List bank statements',
    description: 'For admins and platforms. Returns the imported statements, newest first.',
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of statements.', cursorList('BankStatement')],
  refusals: [refused.badCursor, refused.notPermitted],
  handler: ({ query }, { db }) => listStatements(db, query),
})

export const getBankStatementRoute = route({
  method: 'GET',
  url: '/v1/bank_statements/:statement_id',
  access: read,
  schema: {
    tags,
    operationId: 'getBankStatement',
    summary: 'Retrieve a bank statement',
    description:
      'For admins and platforms. Returns an imported statement without its entries; list those ' +
      'with GET /v1/bank_entries.',
    params: Type.Object({ statement_id: idOf('stm', 'The id of the statement.') }),
  },
  success: [200, 'The statement.', Type.Ref('BankStatement')],
  refusals: [refused.notPermitted, ['not_found', 'No bank statement with this id exists.']],
  handler: ({ params }, { db }) => getStatement(db, params.statement_id),
})

export const listBankEntriesRoute = route({
  method: 'GET',
  url: '/v1/bank_entries',
  access: read,
  schema: {
    tags,
    operationId: 'listBankEntries',
    summary: 'List bank entries',
    description:
      'For admins and platforms. Returns the entries of all statements, newest first. Entries ' +
      'with status=open wait for a decision.',
    querystring: Type.Object({
      ...cursorQuery,
      status: Type.Optional(
        oneOf(entryStatuses, { description: 'Only entries with this status.' }),
      ),
      statement_id: Type.Optional(idOf('stm', 'Only entries that this statement had first.')),
      payment_id: Type.Optional(idOf('pay', 'Only entries that pay this payment request.')),
    }),
  },
  success: [200, 'A page of entries.', cursorList('BankEntry')],
  refusals: [refused.badCursor, refused.notPermitted],
  handler: ({ query }, { db }) => listEntries(db, query),
})

export const getBankEntryRoute = route({
  method: 'GET',
  url: '/v1/bank_entries/:entry_id',
  access: read,
  schema: {
    tags,
    operationId: 'getBankEntry',
    summary: 'Retrieve a bank entry',
    description: 'For admins and platforms. Returns a transaction on a bank statement.',
    params: entryParams,
  },
  success: [200, 'The entry.', Type.Ref('BankEntry')],
  refusals: [refused.notPermitted, unknown_entry],
  handler: ({ params }, { db }) => getEntry(db, params.entry_id),
})

export const matchBankEntryRoute = route({
  method: 'POST',
  url: '/v1/bank_entries/:entry_id/match',
  access: manage,
  schema: {
    tags,
    operationId: 'matchBankEntry',
    summary: 'Match a bank entry to what it pays or shows',
    description:
      'For admins and platforms. With payment_id, the entry pays the payment request, and a ' +
      'worker records the money within seconds. If the amount is higher, the rest is a late ' +
      'payment. If it is lower, or if the request has ended, all of it is a late payment and the ' +
      'request does not change. late decides whether a late payment is kept or refunded. With ' +
      'settlement_id, the entry shows the settlement of a provider, which must have the same ' +
      'amount, or takes it back. With payout_id or transaction_id, a debit pays a payout or a ' +
      'refund by transfer, and a credit returns it. That needs a user, not an API key, with a ' +
      'login within the last 10 minutes. A return may lack a fee of the bank of up to 10,000 ' +
      'minor units, and then needs a note: the account gets the whole amount, and the ' +
      'reconciliation shows the rest as a fee.',
    params: entryParams,
    body: strictObject({
      payment_id: Type.Optional(idOf('pay', 'The payment request. Or send one of the others.')),
      settlement_id: Type.Optional(idOf('stl', 'The settlement of a payment provider.')),
      payout_id: Type.Optional(idOf('po', 'The payout.')),
      transaction_id: Type.Optional(idOf('txn', 'The refund, which a payment file contains.')),
      late: Type.Optional(
        oneOf(['refund', 'keep'], {
          description:
            'What happens to a late payment. The default is FLORIN_LATE_PAYMENTS. Required if ' +
            'the entry is not complete.',
          examples: ['keep'],
        }),
      ),
      note,
    }),
  },
  success: [200, 'The entry, which is settling or settled.', Type.Ref('BankEntry')],
  refusals: [
    ['invalid_request', 'A field is malformed, or the amount or currency does not fit.'],
    refused.notPermitted,
    ['not_found', 'The bank entry, or what it is matched with, does not exist.'],
    ['conflict', 'The entry is settling or settled, or another one shows the same.'],
  ],
  beforeBody: ({ params }) => readEntryId(params.entry_id),
  handler: async ({ caller, params, body }, context) => {
    // A return makes the amount of a payout available again, as when a person records it.
    if ((body.payout_id ?? body.transaction_id) !== undefined) {
      requirePermission(caller, 'resolve_payout')
      await requireFreshLogin(context.db, caller)
    }
    return matchEntry(context, caller, params.entry_id, body)
  },
})

export const ignoreBankEntryRoute = route({
  method: 'POST',
  url: '/v1/bank_entries/:entry_id/ignore',
  access: manage,
  body_optional: true,
  schema: {
    tags,
    operationId: 'ignoreBankEntry',
    summary: 'Ignore a bank entry',
    description:
      'For admins and platforms. The entry pays nothing here: a fee of the bank, rent, or money ' +
      'that was returned at the bank.',
    params: entryParams,
    body: strictObject({ note }),
  },
  success: [200, 'The ignored entry.', Type.Ref('BankEntry')],
  refusals: [refused.badFields, refused.notPermitted, unknown_entry, decided],
  beforeBody: ({ params }) => readEntryId(params.entry_id),
  handler: ({ caller, params, body }, { db }) => ignoreEntry(db, caller, params.entry_id, body),
})

export const reopenBankEntryRoute = route({
  method: 'POST',
  url: '/v1/bank_entries/:entry_id/reopen',
  access: manage,
  schema: {
    tags,
    operationId: 'reopenBankEntry',
    summary: 'Match a bank entry again',
    description:
      'For admins and platforms. Matches an open or ignored entry again, for example after its ' +
      'payment request was created.',
    params: entryParams,
    body: withoutBody,
  },
  success: [200, 'The entry, which is new.', Type.Ref('BankEntry')],
  refusals: [refused.bodyNotEmpty, refused.notPermitted, unknown_entry, decided],
  beforeBody: ({ params }) => readEntryId(params.entry_id),
  handler: ({ caller, params }, { db }) => reopenEntry(db, caller, params.entry_id),
})

export const listBankColumnMapsRoute = route({
  method: 'GET',
  url: '/v1/bank_column_maps',
  access: read,
  schema: {
    tags,
    operationId: 'listBankColumnMaps',
    summary: 'List column maps',
    description: 'For admins and platforms. Returns the saved column maps, by name.',
  },
  success: [200, 'The column maps.', completeList('BankColumnMap')],
  refusals: [refused.notPermitted],
  handler: (_, { db }) => listColumnMaps(db),
})

export const saveBankColumnMapRoute = route({
  method: 'POST',
  url: '/v1/bank_column_maps',
  access: manage,
  bodyLimit: body_max_bytes.lists,
  schema: {
    tags,
    operationId: 'saveBankColumnMap',
    summary: 'Save a column map',
    description:
      'For admins and platforms. Saves how the CSV export of a bank is read. A map with the ' +
      'same name is replaced.',
    body: strictObject({ name: mapName, column_map: columnMapSchema }),
  },
  success: [200, 'The column map.', Type.Ref('BankColumnMap')],
  refusals: [refused.badFields, refused.notPermitted],
  handler: ({ caller, body }, { db }) => saveColumnMap(db, caller, body),
})

export const deleteBankColumnMapRoute = route({
  method: 'DELETE',
  url: '/v1/bank_column_maps/:name',
  access: manage,
  schema: {
    tags,
    operationId: 'deleteBankColumnMap',
    summary: 'Delete a column map',
    description: 'For admins and platforms. Imported statements stay as they are.',
    params: Type.Object({ name: mapName }),
    body: withoutBody,
  },
  success: [
    200,
    'The column map was deleted.',
    Type.Object({ name: mapName, deleted: Type.Literal(true) }),
  ],
  refusals: [refused.bodyNotEmpty, refused.notPermitted, ['not_found', 'No map has this name.']],
  handler: ({ caller, params }, { db }) => removeColumnMap(db, caller, params.name),
})

export const bankStatementRoutes = [
  listBankStatementsRoute,
  getBankStatementRoute,
  listBankEntriesRoute,
  getBankEntryRoute,
  matchBankEntryRoute,
  ignoreBankEntryRoute,
  reopenBankEntryRoute,
  listBankColumnMapsRoute,
  saveBankColumnMapRoute,
  deleteBankColumnMapRoute,
]
