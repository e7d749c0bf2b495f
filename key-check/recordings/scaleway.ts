import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'scaleway',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/domain/v2beta1/dns-zones?page_size=1',
    headers: {
      'x-auth-token': '{key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'scaleway/scaleway-sdk-go api/domain/v2beta1/domain_sdk.go @2c5cd81',
      status: 200,
      body: {
        total_count: 3,
        dns_zones: [
          {
            domain: 'example.org',
            subdomain: '',
            status: 'active',
            project_id: '6170692e-1111-4222-8333-444455556666',
          },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list', 'dns:read'],
          zonesVisible: 3,
          zones: ['example.org'],
          moreZones: true,
        },
      },
    },
    {
      name: 'subdomain',
      source: 'scaleway/scaleway-sdk-go api/domain/v2beta1/domain_sdk.go @2c5cd81',
      status: 200,
      body: {
        total_count: 1,
        dns_zones: [{ domain: 'example.org', subdomain: 'lab', status: 'active' }],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 1, zones: ['lab.example.org'] },
      },
    },
    {
      name: 'no-zones',
      source: 'scaleway/scaleway-sdk-go api/domain/v2beta1/domain_sdk.go @2c5cd81 (no zone)',
      status: 200,
      body: { total_count: 0, dns_zones: [] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 0 } },
    },
    {
      name: 'invalid',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 401,
      body: {
        message: 'authentication is denied',
        method: 'api_key',
        reason: 'not_found',
        type: 'denied_authentication',
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'malformed',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 401,
      body: {
        message: 'authentication is denied',
        method: 'api_key',
        reason: 'invalid_argument',
        type: 'denied_authentication',
      },
      verdict: {
        isValid: false,
        code: 'malformed',
      },
    },
    {
      name: 'expired',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 401,
      body: {
        message: 'authentication is denied',
        method: 'api_key',
        reason: 'expired',
        type: 'denied_authentication',
      },
      verdict: {
        isValid: false,
        code: 'expired',
      },
    },
    {
      name: 'limited',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 403,
      body: {
        type: 'permissions_denied',
        message: 'insufficient permissions',
        details: [
          {
            resource: 'dns',
            action: 'read',
          },
        ],
      },
      verdict: {
        isValid: true,
        code: 'ability_missing',
      },
      shows: { capabilities: { lacks: ['zones:list', 'dns:read'], missing: ['DomainsDNSReadOnly'] } },
    },
    {
      name: 'denied-without-a-reason',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 401,
      body: {
        message: 'authentication is denied',
        method: 'api_key',
        reason: 'unknown_reason',
        type: 'denied_authentication',
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        message: 'no',
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
