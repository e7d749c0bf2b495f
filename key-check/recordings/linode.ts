import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'linode',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v4/profile',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'linode/linodego test/integration/fixtures/TestProfile_Get.yaml @676b9db',
      status: 200,
      body: {
        username: 'exampleUser',
        email: 'example-user@gmail.com',
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'every-scope',
      source: 'linode/linodego test/integration/fixtures/TestProfile_Get.yaml @4bfb3b4',
      status: 200,
      headers: { 'x-oauth-scopes': '*' },
      body: { username: 'exampleUser', email: 'example-user@gmail.com', restricted: false },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { scopes: ['*'], abilities: ['zones:list', 'dns:read', 'dns:edit'] },
        advice: {
          text: 'It can do everything that its user can do. A key for DNS alone is safer.',
          page: 'https://cloud.linode.com/profile/tokens',
        },
      },
    },
    ...['read-only-grant', 'edit-grant', 'no-grants-scope'].map((name) => ({
      name,
      source: 'https://techdocs.akamai.com/linode-api/reference/get-profile, 2026-11',
      status: 200,
      headers: { 'x-oauth-scopes': 'domains:read_write' },
      body: { username: 'exampleUser', email: 'example-user@gmail.com', restricted: true },
      verdict: { isValid: true, code: 'valid' },
    })),
    {
      name: 'invalid',
      source: 'linode/linodego test/integration/fixtures/TestReservedIPAddresses_InsufficientPermissions.yaml @676b9db',
      status: 401,
      body: {
        errors: [
          {
            reason: 'Invalid Token',
          },
        ],
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'https://github.com/trailofbits/algo/pull/14348, 2021-11-06',
      status: 401,
      headers: {
        'x-oauth-scopes': 'domains:read_only',
        'x-accepted-oauth-scopes': 'account:read_only',
      },
      body: {
        errors: [
          {
            reason: 'Your OAuth token is not authorized to use this endpoint.',
          },
        ],
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'limited-403',
      source: 'prowler-cloud/prowler, tests of its Linode provider, 2026-10',
      status: 403,
      body: {
        errors: [
          {
            reason: 'Your OAuth token is not authorized to use this endpoint.',
          },
        ],
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        errors: [
          {
            reason: 'Invalid OAuth Client',
          },
        ],
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
        errors: [
          {
            reason: 'Too many requests',
          },
        ],
      },
    },
  ],
}
