import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'infomaniak',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/2/zones/no-such-zone.example/exists',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source:
        'go-acme/lego providers/dns/infomaniak/internal/fixtures/zone_exists_not.json @a0e15c2, Infomaniak/certbot-dns-infomaniak#53 (the status)',
      status: 404,
      body: {
        result: 'error',
        error: {
          code: 'object_not_found',
          description: 'Object not found',
          context: { model: 'DelegatedSubDomain' },
        },
      },
      verdict: {
        isValid: true,
        code: 'valid',
      },
      shows: { capabilities: { abilities: ['dns:read'] } },
    },
    {
      name: 'refused',
      source: 'caddy-dns/infomaniak#3, 2025-05-28: for a token with the scopes dns:read, dns:write and domain:read',
      status: 401,
      body: {
        result: 'error',
        error: {
          code: 'not_authorized',
          description: 'Not authorized',
        },
      },
    },
    {
      name: 'forbidden',
      madeUp: 'no source shows the text of this refusal',
      status: 403,
      body: {
        result: 'error',
        error: {
          code: 'forbidden',
          description: 'Forbidden',
        },
      },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        result: 'error',
        error: {
          code: 'other',
        },
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
