import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'hetzner',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v1/zones?per_page=1',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://docs.hetzner.cloud/reference/cloud#zones, 2026-10',
      status: 200,
      body: {
        zones: [],
        meta: {
          pagination: {
            page: 1,
          },
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'], moreZones: true } },
    },
    {
      name: 'zones',
      source:
        'dns-lexicon/dns-lexicon tests/fixtures/cassettes/hetzner @e23b58a, with the pages of hetznercloud/hcloud-go @b8cfa39',
      status: 200,
      body: {
        zones: [{ id: 53_091, name: 'example.de', mode: 'primary', status: 'ok', record_count: 8 }],
        meta: {
          pagination: { page: 1, per_page: 1, previous_page: null, next_page: 2, last_page: 2, total_entries: 2 },
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list', 'dns:read'],
          zonesVisible: 2,
          zones: ['example.de'],
          moreZones: true,
        },
      },
    },
    {
      name: 'invalid',
      source: 'hetznercloud/hcloud-go hcloud/error_test.go @b8cfa39',
      status: 401,
      body: {
        error: {
          code: 'unauthorized',
          message: 'unable to authenticate',
          details: null,
        },
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'limited',
      source: 'hetznercloud/hcloud-go hcloud/error.go @b8cfa39',
      status: 403,
      body: {
        error: {
          code: 'forbidden',
          message: 'insufficient permissions',
        },
      },
      verdict: {
        isValid: true,
        code: 'limited_permissions',
      },
    },
    {
      name: 'read-only',
      source: 'hetznercloud/hcloud-go hcloud/error.go @b8cfa39',
      status: 403,
      body: {
        error: {
          code: 'token_readonly',
          message: 'token is only allowed to perform GET requests',
        },
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
        error: {
          code: 'maintenance',
        },
      },
    },
    {
      name: 'rate-limited',
      source: 'https://docs.hetzner.cloud/reference/cloud#rate-limiting, 2026-10',
      status: 429,
      headers: {
        'ratelimit-limit': '3600',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '17',
      },
      body: {
        error: {
          code: 'rate_limit_exceeded',
          message: 'limit of 3600 requests per hour reached',
          details: null,
        },
      },
    },
  ],
}
