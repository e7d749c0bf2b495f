import type { Recording } from '../simulator/recording.ts'

/** The API description of Porkbun, as generated code. */
const api = 'jianyuan/terraform-provider-porkbun internal/apiclient/apiclient.gen.go @a9941d1'

export const recording: Recording = {
  id: 'porkbun',
  keyType: 'api_key',
  parts: { apiKeyId: 'pk1_example' },
  call: {
    method: 'GET',
    path: '/api/json/v3/domain/listAll?start=0&apiAccess=yes',
    headers: { 'x-api-key': 'pk1_example', 'x-secret-api-key': '{key}' },
  },
  asks: {},
  answers: [
    {
      name: 'domains',
      source: api,
      status: 200,
      body: {
        status: 'SUCCESS',
        domains: [
          { domain: 'example.com', status: 'ACTIVE', tld: 'com', apiAccess: 1 },
          { domain: 'example.xyz', status: 'ACTIVE', tld: 'xyz', apiAccess: '1' },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.com', 'example.xyz'] },
      },
    },
    {
      name: 'without-api-access',
      source: `${api} (a server that ignores the filter)`,
      status: 200,
      body: { status: 'SUCCESS', domains: [{ domain: 'example.com', apiAccess: 0 }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], moreZones: true } },
    },
    {
      name: 'error',
      source: `${api} (the form)`,
      status: 200,
      body: { status: 'ERROR', message: 'Unknown error.', domains: [{ domain: 'example.com', apiAccess: 1 }] },
    },
  ],
}
