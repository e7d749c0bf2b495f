import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'vercel',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v2/user',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://vercel.com/docs/rest-api/user/get-the-user, 2026-10',
      status: 200,
      body: {
        user: {
          id: 'AEIIDYVk59zbFF2Sxfyxxmua',
          email: 'me@example.com',
          username: 'jane-doe',
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'https://github.com/jaydubya818/SellerFi/actions/runs/29010773476, 2026-07-09',
      status: 403,
      body: {
        error: {
          code: 'forbidden',
          message: 'Not authorized',
          invalidToken: true,
        },
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'https://vercel.com/docs/rest-api/errors, 2026-10',
      status: 403,
      body: {
        error: {
          code: 'forbidden',
          message: 'Not authorized',
        },
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'other-403',
      madeUp: 'represents answers that the provider file does not list',
      status: 403,
      body: {
        error: {
          code: 'blocked',
          message: 'Blocked',
        },
      },
    },
    {
      name: 'rate-limited',
      source: 'https://vercel.com/docs/rest-api/errors, 2026-10',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        error: {
          code: 'rate_limited',
          message: 'The rate limit of 6 exceeded',
          limit: {
            remaining: 0,
            total: 6,
          },
        },
      },
    },
  ],
}
