import { azureParts } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'

const docs =
  'Azure/azure-rest-api-specs specification/resources/resource-manager/Microsoft.Resources/stable/2022-12-01/examples/GetSubscriptions.json @2e17420'

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'GET',
    path: '/@public-arm/subscriptions?api-version=2022-12-01',
    headers: { authorization: 'Bearer eyJ.{token}' },
  },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'not-found',
      source: docs,
      status: 200,
      body: {
        value: [
          {
            id: '/subscriptions/291bba3f-e0a5-47bc-a099-3bdcb2a50a05',
            subscriptionId: '291bba3f-e0a5-47bc-a099-3bdcb2a50a05',
            state: 'Enabled',
          },
        ],
      },
      verdict: { isValid: true, code: 'capabilities_unknown' },
      shows: { fitsPurpose: 'unknown' },
    },
    {
      name: 'no-subscription',
      source: `${docs} (no subscription)`,
      status: 200,
      body: { value: [], count: { type: 'Total', value: 0 } },
      verdict: { isValid: true, code: 'no_zones' },
      shows: { fitsPurpose: 'unknown' },
    },
  ],
}
