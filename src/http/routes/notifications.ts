import { Type } from 'typebox'
import { getNotifications, updateNotifications } from '../../identity/users/notifications.ts'
import { route } from '../route.ts'
import { strictObject } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'

const tags = ['Users']
const access = { token: 'required', operation: 'manage_own_notifications' } as const

const switchOf = (description: string) => Type.Boolean({ description, examples: [true] })

const switches = {
  payment_received: switchOf(
    'A payment request of your account was paid. At most two emails per hour.',
  ),
  payment_failed: switchOf('A payment of your account failed. At most two emails per hour.'),
  dispute: switchOf('A dispute of your account was opened or decided.'),
  new_login: switchOf('A login from an address and client that you have not used before.'),
  weekly_summary: switchOf(
    "The past week of your account, on Mondays at 8:00 in the account's time zone.",
  ),
}

const given = {
  payment_received: Type.Optional(switches.payment_received),
  payment_failed: Type.Optional(switches.payment_failed),
  dispute: Type.Optional(switches.dispute),
  new_login: Type.Optional(switches.new_login),
  weekly_summary: Type.Optional(switches.weekly_summary),
}

export const notificationsSchema = Type.Object(switches, {
  $id: 'Notifications',
  description:
    'Which emails a user gets. Those about an account go to its owner; those about a login to ' +
    'the user. Everything is on until it is turned off.',
})

const success = [200, 'Your settings.', Type.Ref('Notifications')] as const

export const getNotificationsRoute = route({
  method: 'GET',
  url: '/v1/user/notifications',
  access,
  schema: {
    tags,
    operationId: 'getNotifications',
    summary: 'Retrieve your notification settings',
    description: 'Returns which emails you get.',
  },
  success,
  refusals: [refused.notPermitted],
  handler: ({ caller }, { db }) => getNotifications(db, caller),
})

export const updateNotificationsRoute = route({
  method: 'PATCH',
  url: '/v1/user/notifications',
  access,
  schema: {
    tags,
    operationId: 'updateNotifications',
    summary: 'Change your notification settings',
    description: 'Turns the emails on or off that are sent. Others keep their setting.',
    body: strictObject(given),
  },
  success,
  refusals: [refused.badFields, refused.notPermitted],
  handler: ({ caller, body }, { db }) => updateNotifications(db, caller, body),
})

export const notificationRoutes = [getNotificationsRoute, updateNotificationsRoute]
