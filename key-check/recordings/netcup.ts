import type { Recording } from '../simulator/recording.ts'

const source = 'libdns/netcup, client of the REST API, 2026-09 (the members)'

export const recording: Recording = {
  id: 'netcup',
  keyType: 'api_key',
  call: { method: 'GET', path: '/domain?page=1&perPage=20', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source,
      status: 200,
      body: {
        success: true,
        errors: [],
        meta: { pagination: { page: 1, perPage: 20, totalEntries: 31, lastPage: 2 } },
        result: [
          { id: 4711, fqdn: 'example.com', isDnsManaged: true },
          { id: 4712, fqdn: 'example.org', isDnsManaged: true },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list'],
          zonesVisible: 31,
          zones: ['example.com', 'example.org'],
          moreZones: true,
        },
      },
    },
    {
      name: 'failed',
      madeUp: 'no source shows the answer to a wrong key',
      status: 200,
      body: { success: false, errors: [{ code: 'unauthorized', message: 'Unauthorized' }], result: [] },
    },
    { name: 'refused', madeUp: 'no source shows the answer to a wrong key', status: 401, body: { success: false } },
  ],
}
