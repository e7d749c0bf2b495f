import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'ionos',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/dns/v1/zones',
    headers: {
      'x-api-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/internal/ionos/internal/fixtures/list_zones.json @a0e15c2',
      status: 200,
      body: [
        {
          id: '11af3414-ebba-11e9-8df5-66fbe8a334b4',
          name: 'example.com',
          type: 'NATIVE',
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
      name: 'invalid',
      source: 'go-acme/lego providers/dns/internal/ionos/internal/fixtures/list_zones_error.json @a0e15c2',
      status: 401,
      body: [
        {
          code: 'UNAUTHORIZED',
          message: 'The customer is not authorized to do this operation.',
        },
      ],
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: [
        {
          code: 'FORBIDDEN',
          message: 'Forbidden',
        },
      ],
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: [],
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        message: 'Too many requests',
      },
    },
  ],
}
