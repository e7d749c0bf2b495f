import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'variomedia',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/domains',
    headers: {
      authorization: 'token {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://api.variomedia.de/docs/, 2026-11 (JSON:API, no domain)',
      status: 200,
      body: {
        data: [],
        links: {},
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'go-acme/lego providers/dns/variomedia/internal/fixtures/error.json @a0e15c2',
      status: 401,
      body: {
        errors: [
          {
            status: '401',
            title:
              "The server could not verify that you are authorized to access the URL requested. You either supplied the wrong credentials (e.g. a bad password), or your browser doesn't understand how to supply the credentials required.",
            id: 'unauthorized',
          },
        ],
        links: {},
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        errors: [],
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
