import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../postgres/database.ts'
import type { Processor } from '../../processors/processor.ts'
import { reportAttention } from '../../reports/attention.ts'
import { bucket_intervals } from '../../reports/buckets.ts'
import { reportVolume } from '../../reports/volume.ts'
import { callerOf } from '../admission.ts'
import { responseSchemas } from '../response-schemas.ts'
import { oneOf } from '../schemas.ts'
import { Type } from '../type.ts'

const tags = ['Reports']

const noToken = ['unauthorized', 'The token is missing or not valid.'] as const
const noAccount = ['forbidden', 'The token has no account, or Florin-Account is missing.'] as const
const unknown = ['not_found', 'Florin-Account names no account that you may see.'] as const

const access = { token: 'required', operation: 'read_balance' } as const

export interface ReportRouteParts {
  db: Db
  processor: Processor
}

export function reportRoutes({ db, processor }: ReportRouteParts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v1/account/volume',
      config: { access },
      schema: {
        tags,
        operationId: 'getVolume',
        summary: 'Report what came in and went out',
        description:
          "In hours, days, weeks or months of the account's time zone, with totals and those of " +
          'the period before. A transaction belongs to the time it was created in. Without dates ' +
          'it is today and the 29 days before. At most 400 buckets.',
        querystring: Type.Object({
          from: Type.Optional(
            Type.String({
              format: 'timestamp',
              description: "Created at this time or later. A date is a day of the account's zone.",
            }),
          ),
          to: Type.Optional(
            Type.String({
              format: 'timestamp',
              description: 'Created at this time or earlier. A date is that whole day.',
            }),
          ),
          interval: oneOf(bucket_intervals, {
            default: 'day',
            description: 'How long a bucket is. Weeks begin on Monday.',
          }),
        }),
        response: responseSchemas({
          success: { status: 200, description: 'The report.', schema: Type.Ref('Volume') },
          refusals: [
            ['invalid_request', 'A parameter is malformed, or there would be too many buckets.'],
            noToken,
            noAccount,
            unknown,
          ],
        }),
      },
      handler: (request) => reportVolume(db, callerOf(request), request.query),
    })

    app.route({
      method: 'GET',
      url: '/v1/account/attention',
      config: { access: { ...access, response_varies_by_role: true } },
      schema: {
        tags,
        operationId: 'getAttention',
        summary: 'Report what needs attention',
        description:
          'Transactions that failed or have been pending for long, payment requests that failed ' +
          'or are about to expire, and failing webhook endpoints: how many, the first of them, ' +
          'and the request that lists them.',
        response: responseSchemas({
          success: { status: 200, description: 'The report.', schema: Type.Ref('Attention') },
          refusals: [noToken, noAccount, unknown],
        }),
      },
      handler: (request) => reportAttention(db, callerOf(request), processor),
    })
  }
}
