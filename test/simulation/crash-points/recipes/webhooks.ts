// Webhook endpoints and deliveries. Nothing is sent here: that is the worker's job.

import assert from 'node:assert/strict'
import type { Owner } from '../../../support/people.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['*'] }

// An account may have at most twenty endpoints, so each cell that creates one uses a new account.
async function ownerWithEndpoint(world: World): Promise<{ owner: Owner; id: string }> {
  const owner = await world.people.owner()
  const { id } = await world.create('/v1/webhook_endpoints', { token: owner.token, body: endpoint })
  return { owner, id }
}

function change(body?: unknown): Recipe['prepare'] {
  return async (world): Promise<PreparedRequest> => {
    const { owner, id } = await ownerWithEndpoint(world)
    const verifyEffect = world.readsSame('/v1/webhook_endpoints/{id}', owner.token)
    return { params: { endpoint_id: id }, token: owner.token, body, verifyEffect }
  }
}

export const webhookRecipes: Recipe[] = [
  {
    operation: 'createWebhookEndpoint',
    async prepare(world) {
      const { token } = await world.people.owner()
      return {
        token,
        body: endpoint,
        verifyEffect: world.readsSame('/v1/webhook_endpoints/{id}', token),
      }
    },
  },
  { operation: 'updateWebhookEndpoint', prepare: change({ status: 'disabled' }) },
  {
    operation: 'deleteWebhookEndpoint',
    async prepare(world) {
      const { owner, id } = await ownerWithEndpoint(world)
      const { token } = owner
      const verifyEffect = async () => {
        const found = await world.call('GET', `/v1/webhook_endpoints/${id}`, { token })
        assert.equal(found.status, 404)
      }
      return { params: { endpoint_id: id }, token, verifyEffect }
    },
  },
  { operation: 'rotateWebhookSecret', prepare: change() },
  {
    operation: 'testWebhookEndpoint',
    async prepare(world) {
      const { owner, id } = await ownerWithEndpoint(world)
      const verifyEffect = world.readsSame('/v1/webhook_deliveries/{id}', owner.token)
      return { params: { endpoint_id: id }, token: owner.token, verifyEffect }
    },
  },
  { operation: 'replayWebhookEvents', prepare: change({ after: 0 }) },
  {
    operation: 'retryWebhookDelivery',
    async prepare(world) {
      const { owner, id } = await ownerWithEndpoint(world)
      const { token } = owner
      const delivery = await world.create(`/v1/webhook_endpoints/${id}/test`, { token })
      const verifyEffect = world.readsSame('/v1/webhook_deliveries/{id}', token)
      return { params: { delivery_id: delivery.id }, token, verifyEffect }
    },
  },
]
