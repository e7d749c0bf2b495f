import { azureParts, azureZoneId } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'

const docs = 'https://learn.microsoft.com/en-us/rest/api/authorization/permissions/list-for-resource, 2026-11'

/** The role "DNS Zone Contributor" (vancluever/terraform-provider-acme#303). */
const contributor = [
  'Microsoft.Authorization/*/read',
  'Microsoft.Insights/alertRules/*',
  'Microsoft.Network/dnsZones/*',
  'Microsoft.ResourceHealth/availabilityStatuses/read',
  'Microsoft.Resources/deployments/*',
  'Microsoft.Resources/subscriptions/resourceGroups/read',
  'Microsoft.Support/*',
]

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'GET',
    path: `/@public-arm${azureZoneId}/providers/Microsoft.Authorization/permissions?api-version=2022-04-01`,
    headers: { authorization: 'Bearer eyJ.{token}' },
  },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'valid',
      source: docs,
      status: 200,
      body: { value: [{ actions: ['*/read'], notActions: [], dataActions: [], notDataActions: [] }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'contributor',
      source: docs,
      status: 200,
      body: { value: [{ actions: contributor, notActions: [] }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read', 'dns:edit'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'one-record-set',
      source: docs,
      status: 200,
      body: {
        value: [{ actions: ['Microsoft.Network/dnsZones/read', 'Microsoft.Network/dnsZones/TXT/*'], notActions: [] }],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'conditional',
      source: docs,
      status: 200,
      body: {
        value: [
          { actions: ['*'], notActions: [], condition: '(@Resource[x] StringEquals 1)' },
          { actions: ['*'], notActions: ['Microsoft.Network/*/write'] },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'may-not-read-roles',
      source: 'kubernetes-sigs/external-dns#1973 (the same code for another action)',
      status: 403,
      body: {
        error: { code: 'AuthorizationFailed', message: 'The client does not have authorization to perform action.' },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
  ],
}
