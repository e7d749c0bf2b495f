import { azureParts, azureQuery, azureRows, azureZoneId } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'

const docs =
  'Azure/azure-rest-api-specs specification/resourcegraph/resource-manager/Microsoft.ResourceGraph/stable/2021-03-01/examples/ResourcesTenantBasicQuery.json @f87f156'
const found = azureRows({ id: azureZoneId, name: 'Example.tk' })

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'POST',
    path: '/@public-arm/providers/Microsoft.ResourceGraph/resources?api-version=2021-03-01',
    headers: { authorization: 'Bearer eyJ.{token}' },
    body: azureQuery('example.tk'),
  },
  asks: { zone: 'example.tk' },
  answers: [
    { name: 'valid', source: docs, isFollowed: true, status: 200, body: found },
    { name: 'contributor', source: docs, isFollowed: true, status: 200, body: found },
    { name: 'one-record-set', source: docs, isFollowed: true, status: 200, body: found },
    { name: 'conditional', source: docs, isFollowed: true, status: 200, body: found },
    { name: 'may-not-read-roles', source: docs, isFollowed: true, status: 200, body: found },
    {
      name: 'two-of-the-name',
      source: docs,
      status: 200,
      body: azureRows({ id: azureZoneId, name: 'example.tk' }, { id: azureZoneId, name: 'example.tk' }),
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'odd-id',
      source: `${docs} (an ID that does not go into a path)`,
      status: 200,
      body: azureRows({ id: '/subscriptions/../x', name: 'example.tk' }),
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    { name: 'not-found', source: `${docs} (no row)`, isFollowed: true, status: 200, body: azureRows() },
    {
      name: 'no-subscription',
      source: 'Azure/aztfexport#491',
      isFollowed: true,
      status: 400,
      body: {
        error: {
          code: 'BadRequest',
          message: 'Please provide below info when asking for support: timestamp = 2024-01-03T00:55:29.5556950Z.',
          details: [
            {
              code: 'NoValidSubscriptionsInQueryRequest',
              message: "There must be at least one subscription that is eligible to contain resources. Given: ''.",
            },
          ],
        },
      },
    },
  ],
}
