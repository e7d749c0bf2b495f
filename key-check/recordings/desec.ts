import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'desec',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/domains/',
    headers: {
      authorization: 'Token {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://desec.readthedocs.io/en/latest/dns/domains.html, 2026-10',
      status: 200,
      body: [
        {
          created: '2018-09-18T16:36:16.510368Z',
          keys: [],
          minimum_ttl: 3600,
          name: 'example.com',
          published: '2018-09-18T17:21:38.348112Z',
          touched: '2018-09-18T17:21:38.348112Z',
        },
      ],
      verdict: {
        isValid: true,
        code: 'valid',
      },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 1, zones: ['example.com'] },
      },
    },
    {
      name: 'refused',
      source: 'desec-io/desec-stack api/desecapi/authentication.py @d7ccaf7',
      status: 401,
      body: {
        detail: 'Invalid token.',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        detail: 'You do not have permission to perform this action.',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        detail: 'Authentication credentials were not provided.',
      },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        detail: 'Request was throttled. Expected available in 17 seconds.',
      },
    },
  ],
}
