import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'vercel',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v5/user/tokens/current',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'vercel/sdk src/models/getauthtokenop.ts and authtoken.ts @426eb4b',
      status: 200,
      body: {
        token: {
          id: '5d9f2ebd38ddca62e5d51e9c1704c72530bdc8bfdd41e782a6687c48399e8391',
          name: 'dns',
          type: 'oauth2-token',
          origin: 'manual',
          scopes: [{ type: 'team', teamId: 'team_example', origin: 'manual', createdAt: 1_632_816_536_002 }],
          activeAt: 1_632_816_536_002,
          createdAt: 1_632_816_536_002,
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
