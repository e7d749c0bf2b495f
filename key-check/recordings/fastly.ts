import type { Recording } from '../simulator/recording.ts'

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
      source: 'fastly/go-fastly fastly/fixtures/tokens/get_self.yaml @5141097',
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
      shows: {
        capabilities: {
          scopes: ['global'],
          abilities: ['cdn:read', 'cdn:edit', 'cdn:purge', 'cdn:purge_all'],
          limitedByOwner: true,
        },
      },
    },
    {
      name: 'expired-at',
      source: 'https://github.com/polyfillpolyfill/polyfill-service/issues/1966, 2019-05-22',
      status: 401,
      body: {
        msg: 'Token 3RiIwJRqEEsoS2dUrtX24f expired at 2019-05-01T09:00:00Z',
      },
      verdict: {
        isValid: false,
        code: 'expired_on',
      },
    },
    {
      name: 'expiring',
      source: 'fastly/go-fastly fastly/fixtures/tokens/get_self.yaml @5141097 (with an expiry)',
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
      source: 'https://github.com/fastly/fastly-js/issues/14, 2022-12-20',
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
      source:
        'https://github.com/fastly/fastly-js/issues/14, 2022-12-20 (the status is the one that TruffleHog expects)',
      status: 401,
      body: '{"msg":"Provided credentials are missing or invalid"}',
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'other-403',
      madeUp: 'represents answers that the provider file does not list',
      status: 403,
      body: {
        msg: 'You are not authorized to perform this action',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        msg: 'The login service is not available',
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
