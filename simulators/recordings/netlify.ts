import type { Recording } from '../providers/recording.ts'

// The text of the 401 after "Access Denied" is made up: no source shows it.
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
      status: 401,
      body: {
        code: 401,
        message: 'Access Denied: the token is not valid',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        code: 401,
      },
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
