import { azureParts, azureQuery, azureRows, azureZoneId } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'

const docs =
  'Azure/azure-rest-api-specs specification/resourcegraph/resource-manager/Microsoft.ResourceGraph/stable/2021-03-01/examples/ResourcesTenantBasicQuery.json @f87f156'

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'POST',
    path: '/@public-arm/providers/Microsoft.ResourceGraph/resources?api-version=2021-03-01',
    headers: { authorization: 'Bearer eyJ.{token}' },
    body: azureQuery(),
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: docs,
      status: 200,
      body: azureRows({ id: azureZoneId, name: 'example.tk' }),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.tk'] } },
    },
    {
      name: 'many-zones',
      source: docs,
      status: 200,
      body: azureRows(...Array.from({ length: 20 }, (_, n) => ({ id: azureZoneId, name: `zone-${n}.example.org` }))),
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list'],
          zones: Array.from({ length: 20 }, (_, n) => `zone-${n}.example.org`),
          moreZones: true,
        },
      },
    },
    {
      name: 'sees-no-zone',
      source: `${docs} (no row)`,
      status: 200,
      body: azureRows(),
      verdict: { isValid: true, code: 'capabilities_unknown' },
    },
    {
      name: 'graph-refused',
      source: 'Azure/azure-sdk-for-java#29924',
      status: 403,
      body: {
        error: {
          code: 'AccessDenied',
          message: 'Please provide below info when asking for support: timestamp = 2022-07-12T12:30:52.0887451Z.',
          details: [{ code: 'AccessDenied', message: 'Access is denied to the requested resource.' }],
        },
      },
    },
  ],
}
