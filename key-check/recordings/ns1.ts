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
      source: 'ns1/ns1-go rest/zone.go @2b174a2 (no zone)',
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
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
        'x-ratelimit-by': 'account',
        'x-ratelimit-remaining': '0',
      },
      body: {
        message: 'rate limit exceeded',
      },
    },
  ],
}
