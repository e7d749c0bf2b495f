import type { Recording } from '../providers/recording.ts'

// The texts of the refusals are made up: no source shows them.
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
      status: 401,
      body: {
        error: 'Invalid token',
      },
    },
    {
      name: 'ambiguous',
      status: 403,
      body: {
        error: 'Forbidden',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: 'no',
    },
    {
      name: 'rate-limited',
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
