import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'digitalocean',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v2/account',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'digitalocean/openapi specification/resources/account/models/account.yml @7c1300c',
      status: 200,
      body: {
        account: {
          droplet_limit: 25,
          email: 'sammy@example.com',
          uuid: 'b6fr89dbf6d9156cace5f3c78dc9851d957381ef',
          email_verified: true,
          status: 'active',
          status_message: '',
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'warned',
      source: 'digitalocean/openapi specification/resources/account/models/account.yml @7c1300c',
      status: 200,
      body: {
        account: {
          status: 'warning',
        },
      },
      verdict: {
        isValid: true,
        code: 'account_restricted',
      },
    },
    {
      name: 'locked',
      source: 'digitalocean/openapi specification/resources/account/models/account.yml @7c1300c',
      status: 200,
      body: {
        account: {
          status: 'locked',
        },
      },
      verdict: {
        isValid: true,
        code: 'account_restricted',
      },
    },
    {
      name: 'invalid',
      source: 'digitalocean/openapi specification/shared/responses/unauthorized.yml @7c1300c',
      status: 401,
      body: {
        id: 'unauthorized',
        message: 'Unable to authenticate you.',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'digitalocean/openapi specification/shared/responses/forbidden.yml @7c1300c',
      status: 403,
      body: {
        id: 'forbidden',
        message: 'You do not have permission to perform this action.',
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
        id: 'blocked',
        message: 'No.',
      },
    },
    {
      name: 'rate-limited',
      source: 'digitalocean/openapi specification/shared/responses/too_many_requests.yml @7c1300c',
      status: 429,
      headers: {
        'retry-after': '17',
        'ratelimit-limit': '5000',
        'ratelimit-remaining': '0',
      },
      body: {
        id: 'too_many_requests',
        message: 'API rate limit exceeded.',
      },
    },
  ],
}
