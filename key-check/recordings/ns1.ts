import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'ns1',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v1/zones',
    headers: {
      'x-nsone-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'ns1/ns1-go rest/client.go @2b174a2 (DoWithPagination follows the header)',
      status: 200,
      headers: { link: '<https://api.nsone.net/v1/zones?after=example.org&limit=2500>; rel="next"' },
      body: [{ id: '5ab69dd6bbccf900012ef579', zone: 'example.org', ttl: 3600 }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.org'], moreZones: true } },
    },
    {
      name: 'zones',
      source: 'ns1/ns1-go rest/zone.go @2b174a2 (the form; example names)',
      status: 200,
      body: [{ id: '5ab69dd6bbccf900012ef579', zone: 'example.org', ttl: 3600 }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.org'] } },
    },
    {
      name: 'no-zones',
      source: 'ns1/ns1-go rest/zone.go @2b174a2 (no zone)',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'refused',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: {
        message: 'Unauthorized',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        message: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {},
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: {
        'retry-after': '17',
        'x-ratelimit-by': 'customer',
        'x-ratelimit-remaining': '0',
      },
      body: {
        message: 'rate limit exceeded',
      },
    },
  ],
}
