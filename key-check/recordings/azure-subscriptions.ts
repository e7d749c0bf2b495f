import { azureParts } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'

const docs =
  'Azure/azure-rest-api-specs specification/resources/resource-manager/Microsoft.Resources/stable/2022-12-01/examples/GetSubscriptions.json @2e17420'
const body = {
  value: [
    {
      id: '/subscriptions/291bba3f-e0a5-47bc-a099-3bdcb2a50a05',
      subscriptionId: '291bba3f-e0a5-47bc-a099-3bdcb2a50a05',
      state: 'Enabled',
    },
  ],
}

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'GET',
    path: '/@public-arm/subscriptions?api-version=2022-12-01',
    headers: { authorization: 'Bearer eyJ.{token}' },
  },
  asks: {},
  answers: [
    { name: 'valid', source: docs, isFollowed: true, status: 200, body },
    { name: 'sees-no-zone', source: docs, isFollowed: true, status: 200, body },
    { name: 'many-zones', source: docs, isFollowed: true, status: 200, body },
    { name: 'graph-refused', source: docs, isFollowed: true, status: 200, body },
    {
      name: 'no-role',
      source: `${docs} (no subscription)`,
      status: 200,
      body: { value: [], count: { type: 'Total', value: 0 } },
      verdict: { isValid: true, code: 'no_zones' },
    },
    {
      name: 'bad-token',
      madeUp: 'our token is refused, which says nothing about the secret',
      status: 401,
      body: { error: { code: 'InvalidAuthenticationToken', message: 'The access token is invalid.' } },
    },
  ],
}
