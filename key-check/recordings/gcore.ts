import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'gcore',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/iam/users/me',
    headers: {
      authorization: 'APIKey {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://gcore.com/docs/developer-tools/rest-api/authentication, 2026-10',
      status: 200,
      body: {
        id: 1,
        email: 'person@example.com',
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
        error: 'Invalid token',
      },
    },
    {
      name: 'ambiguous',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        error: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: 'no',
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
