import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'desec',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/domains/',
    headers: {
      authorization: 'Token {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: [
        {
          created: '2018-09-18T16:36:16.510368Z',
          keys: [],
          minimum_ttl: 3600,
          name: 'example.com',
          published: '2018-09-18T17:21:38.348112Z',
          touched: '2018-09-18T17:21:38.348112Z',
        },
      ],
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'refused',
      status: 401,
      body: {
        detail: 'Invalid token.',
      },
    },
    {
      name: 'limited',
      status: 403,
      body: {
        detail: 'You do not have permission to perform this action.',
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
        detail: 'Authentication credentials were not provided.',
      },
    },
    {
      name: 'rate-limited',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        detail: 'Request was throttled. Expected available in 17 seconds.',
      },
    },
  ],
}
