import { Type } from 'typebox'
import { reportAttention } from '../../operations/reports/attention.ts'
import { bucket_intervals } from '../../operations/reports/buckets.ts'
import { reportOverview } from '../../operations/reports/overview.ts'
import { reportVolume } from '../../operations/reports/volume.ts'
import { route } from '../route.ts'
import { oneOf, timestampOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Reports']

const access = { token: 'required', operation: 'read_balance' } as const

export const getVolumeRoute = route({
  method: 'GET',
  url: '/v1/account/volume',
  access,
  schema: {
    tags,
    operationId: 'getVolume',
    summary: 'Retrieve volume',
    description:
      "Returns the volume per hour, day, week or month in the account's time zone, with " +
      'totals and a comparison with the preceding period. A transaction counts when it was ' +
      'created. The default period is today and the 29 days before. At most 400 buckets.',
    querystring: Type.Object({
      from: timestampOf(
        'The start. A date means the start of that day in the time zone of the account.',
      ),
      to: timestampOf('The end, inclusive. A date means that whole day.'),
      interval: oneOf(bucket_intervals, {
        default: 'day',
        description: 'The length of a bucket. Weeks start on Monday.',
      }),
    }),
  },
  success: [200, 'The report.', Type.Ref('Volume')],
  refusals: [
    ['invalid_request', 'A parameter is malformed, or there would be too many buckets.'],
    refused.noToken,
    refused.noAccount,
    refused.hiddenAccount,
  ],
  handler: ({ caller, query }, { db }) => reportVolume(db, caller, query),
})

export const getAttentionRoute = route({
  method: 'GET',
  url: '/v1/account/attention',
  access: { ...access, response_varies_by_role: true },
  schema: {
    tags,
    operationId: 'getAttention',
    summary: 'Retrieve attention report',
    description:
      'Returns what needs attention: failed or long-pending transactions, failed or expiring ' +
      'payment requests, and failing webhook endpoints. Each has the count, the first ids ' +
      'and the request that lists all.',
  },
  success: [200, 'The report.', Type.Ref('Attention')],
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, { db, processor }) => reportAttention(db, caller, processor),
})

export const getOverviewRoute = route({
  method: 'GET',
  url: '/v1/overview',
  access: { token: 'required', operation: 'read_overview' },
  schema: {
    tags,
    operationId: 'getOverview',
    summary: 'Retrieve the overview of all accounts',
    description:
      'Returns volume, failures and new accounts of the last 30 days in UTC, with the 30 days ' +
      'before, and the newest accounts. For admins and platform users.',
  },
  success: [200, 'The report.', Type.Ref('Overview')],
  refusals: [refused.noToken],
  handler: (_, { db }) => reportOverview(db),
})

export const reportRoutes = [getVolumeRoute, getAttentionRoute, getOverviewRoute]
