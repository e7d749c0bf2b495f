import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'netlify',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/user',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'netlify/open-api swagger.yml @6508031',
      status: 200,
      body: {
        id: '5c9fb1a2',
        email: 'person@example.com',
        full_name: 'Example',
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'netlify/open-api swagger.yml @6508031 (the members; the text was logged for a wrong token, 2026-09)',
      status: 401,
      body: {
        code: 401,
        message: 'Access Denied',
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
        code: 401,
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
