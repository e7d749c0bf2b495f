import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'leaseweb',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/hosting/v2/domains?limit=1',
    headers: {
      'x-lsw-auth': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'leaseweb/leaseweb-go-sdk dns/api/openapi.yaml @a6c1f78 (no domain)',
      status: 200,
      body: {
        domains: [],
        _metadata: {
          totalCount: 0,
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
    },
    {
      name: 'invalid',
      source: 'go-acme/lego providers/dns/leaseweb/internal/fixtures/error_401.json @a0e15c2',
      status: 401,
      body: {
        correlationId: '289346a1-3eaf-4da4-b707-62ef12eb08be',
        errorCode: '401',
        errorMessage: 'You are not authorized to view this resource.',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'leaseweb/leaseweb-go-sdk dns/api/openapi.yaml @a6c1f78',
      status: 403,
      body: {
        correlationId: '289346a1-3eaf-4da4-b707-62ef12eb08be',
        errorCode: '403',
        errorMessage: 'Access to the requested resource is forbidden.',
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
      body: {},
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
