import type { Recording } from '../providers/recording.ts'

// The values of the refusals are made up: only their members are known.
export const recording: Recording = {
  id: 'luadns',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/v1/users/me',
    headers: {
      authorization: 'Basic {email:key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        id: 1,
        email: 'user@example.com',
        name: 'Example',
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
        status: 'Unauthorized',
        request_id: 'a1b2',
        message: 'Invalid credentials',
      },
      verdict: {
        isValid: false,
        code: 'wrong_pair',
      },
    },
    {
      name: 'limited',
      status: 403,
      body: {
        status: 'Forbidden',
        request_id: 'a1b2',
        message: 'Forbidden',
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'other-401',
      status: 401,
      body: {
        status: 'Unauthorized',
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
