import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { reportAttention } from '../../operations/reports/attention.ts'
import { bucket_intervals } from '../../operations/reports/buckets.ts'
import { reportVolume } from '../../operations/reports/volume.ts'
import type { Db } from '../../postgres/database.ts'
import type { Processor } from '../../processors/processor.ts'
import { callerOf } from '../admission.ts'
import { oneOf } from '../schemas/resources.ts'
import { responseSchemas } from '../schemas/response.ts'

const tags = ['Reports']

const noToken = ['unauthorized', 'The token is missing or invalid.'] as const
const noAccount = ['forbidden', 'The caller has no account, or Florin-Account is missing.'] as const
const unknown = [
  'not_found',
  'The account in Florin-Account does not exist or is not visible to you.',
] as const

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
        summary: 'Retrieve volume',
        description:
          "Returns the volume per hour, day, week or month in the account's time zone, with " +
          'totals and a comparison with the preceding period. A transaction counts when it was ' +
          'created. The default period is today and the 29 days before. At most 400 buckets.',
        querystring: Type.Object({
          from: Type.Optional(
            Type.String({
              format: 'timestamp',
              description:
                'The start. A date means the start of that day in the time zone of the account.',
            }),
          ),
          to: Type.Optional(
            Type.String({
              format: 'timestamp',
              description: 'The end, inclusive. A date means that whole day.',
            }),
          ),
          interval: oneOf(bucket_intervals, {
            default: 'day',
            description: 'The length of a bucket. Weeks start on Monday.',
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
        summary: 'Retrieve attention report',
        description:
          'Returns what needs attention: failed or long-pending transactions, failed or expiring ' +
          'payment requests, and failing webhook endpoints. Each has the count, the first ids ' +
          'and the request that lists all.',
        response: responseSchemas({
          success: { status: 200, description: 'The report.', schema: Type.Ref('Attention') },
          refusals: [noToken, noAccount, unknown],
        }),
      },
      handler: (request) => reportAttention(db, callerOf(request), processor),
    })
  }
}
