import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'bunny',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/dnszone?page=1&perPage=5&search=no-such-zone.example',
    headers: {
      accesskey: '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://docs.bunny.net/api-reference/core/dns-zone/list-dns-zones, 2026-10',
      status: 200,
      body: {
        Items: [],
        CurrentPage: 1,
        TotalItems: 0,
        HasMoreItems: false,
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read', 'dns:edit'] } },
    },
    {
      name: 'invalid',
      source: 'https://docs.bunny.net/api-reference/core/errors, 2026-10',
      status: 401,
      body: {
        Message: 'Authorization for the request has failed',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'refused-empty',
      madeUp: 'no source shows the text of this refusal',
      status: 401,
      body: '',
    },
    {
      name: 'forbidden',
      source: 'https://docs.bunny.net/api-reference/core/errors, 2026-10',
      status: 403,
      body: {
        Message: 'The action is forbidden for the user',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        Message: 'Something else',
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
        message: 'Too many requests',
      },
    },
  ],
}
