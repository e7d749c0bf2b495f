import { serviceAccountFile } from '../simulator/googlecloud.ts'
import type { Recording } from '../simulator/recording.ts'

const docs = 'https://cloud.google.com/resource-manager/reference/rest/v1/projects/testIamPermissions, 2026-11'
const edit = [
  'dns.changes.create',
  'dns.resourceRecordSets.create',
  'dns.resourceRecordSets.delete',
  'dns.resourceRecordSets.update',
]

export const recording: Recording = {
  id: 'googlecloud',
  keyType: 'api_key',
  keyOf: serviceAccountFile,
  call: {
    method: 'POST',
    path: '/@projects/v1/projects/named-archway-000000:testIamPermissions',
    headers: { authorization: 'Bearer ya29.{token}' },
    body: { permissions: ['dns.resourceRecordSets.list', ...edit] },
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: docs,
      status: 200,
      body: { permissions: ['dns.resourceRecordSets.list', ...edit] },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read', 'dns:edit'], zones: ['example.tk'], moreZones: true },
      },
    },
    {
      name: 'reader',
      source: docs,
      status: 200,
      body: { permissions: ['dns.resourceRecordSets.list', 'dns.changes.create'] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 1, zones: ['example.tk'] } },
    },
    {
      name: 'no-permission-on-project',
      source: docs,
      status: 200,
      body: {},
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.tk'] } },
    },
    {
      name: 'project-api-off',
      source: 'appvia/kore#286 and opstrace/opstrace#128 (the members)',
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'Cloud Resource Manager API has not been used in project 000000000000 before or it is disabled.',
          errors: [{ domain: 'usageLimits', reason: 'accessNotConfigured' }],
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.tk'] } },
    },
    {
      name: 'unasked',
      madeUp: 'a permission that was not asked for proves nothing',
      status: 200,
      body: { permissions: ['dns.resourceRecordSets.list', 'owner'] },
    },
  ],
}
