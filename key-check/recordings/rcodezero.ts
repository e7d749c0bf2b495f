import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'rcodezero',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/api/v2/zones?page_size=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'zoltanf/rc0-cli tests/fixtures/openapi.json @9c91e59 (no zone)',
      status: 200,
      body: {
        current_page: 1,
        data: [],
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'refused',
      source: 'go-acme/lego providers/dns/rcodezero/internal/fixtures/error.json @a0e15c2 (another text)',
      status: 401,
      body: {
        status: 'failed',
        message: 'Unauthorized',
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        status: 'failed',
        message: 'Forbidden',
      },
    },
    {
      name: 'failed-200',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      body: {
        status: 'failed',
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
