import type { Recording } from '../providers/recording.ts'

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
      status: 200,
      body: [],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'refused',
      status: 401,
      body: {
        message: 'Unauthorized',
      },
    },
    {
      name: 'forbidden',
      status: 403,
      body: {
        message: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {},
    },
    {
      name: 'rate-limited',
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
