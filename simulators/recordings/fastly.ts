import type { Recording } from '../providers/recording.ts'

export const recording: Recording = {
  id: 'fastly',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/tokens/self',
    headers: {
      'fastly-key': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      status: 200,
      body: {
        id: '5Yo3XXnrQpjc20u0ybrf2g',
        user_id: '4y5K5trZocEAQYkesWlk7M',
        customer_id: 'x4xCwxxJxGCx123Rx5xTx',
        name: 'my_token',
        last_used_at: '2016-06-22T03:19:48Z',
        created_at: '2016-06-22T03:19:48Z',
        expires_at: null,
        ip: '203.0.113.7',
        user_agent: 'curl',
        scopes: ['global'],
        scope: 'global',
        services: [],
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    // The instant and the words before it were logged (polyfill-service #1966); the rest of the text is made up.
    {
      name: 'expired-at',
      status: 401,
      body: {
        msg: 'Unauthorized: the token expired at 2019-05-01T09:00:00Z',
      },
      verdict: {
        isValid: false,
        code: 'expired_on',
      },
    },
    {
      name: 'expiring',
      status: 200,
      body: {
        id: '5Yo3XXnrQpjc20u0ybrf2g',
        expires_at: '2026-10-03T00:00:00Z',
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      status: 403,
      body: {
        msg: 'Provided credentials are missing or invalid',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'expired',
      status: 401,
      body: '{"msg":"Provided credentials are missing or invalid"}',
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-403',
      status: 403,
      body: {
        msg: 'You are not authorized to perform this action',
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
