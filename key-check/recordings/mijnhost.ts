import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'mijnhost',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/domains',
    headers: {
      'api-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/mijnhost/internal/fixtures/list_domains.json @a0e15c2 (no domain)',
      status: 200,
      body: {
        status: 200,
        status_description: 'Request successful',
        data: {
          domains: [],
        },
      },
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
        status: 401,
        status_description: 'Invalid API key',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        status: 500,
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
