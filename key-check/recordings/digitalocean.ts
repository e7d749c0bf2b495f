import type { Recording } from '../simulator/recording.ts'

const zoneFile =
  '$ORIGIN example.org.\n$TTL 1800\nexample.org. IN SOA ns1.digitalocean.com. hostmaster.example.org. 1583891130 10800 3600 604800 1800\n'

export const recording: Recording = {
  id: 'digitalocean',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v2/domains?per_page=1', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: 'digitalocean/openapi specification/resources/domains/responses/all_domains_response.yml @7c1300c',
      status: 200,
      body: {
        domains: [{ name: 'example.org', ttl: 1_800, zone_file: zoneFile }],
        links: { pages: { next: 'https://api.digitalocean.com/v2/domains?page=2&per_page=1' } },
        meta: { total: 2 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list', 'dns:read'],
          zonesVisible: 2,
          zones: ['example.org'],
          moreZones: true,
        },
      },
    },
    {
      name: 'empty',
      source:
        'digitalocean/openapi specification/resources/domains/responses/all_domains_response.yml @7c1300c (no domain)',
      status: 200,
      body: { domains: [], links: {}, meta: { total: 0 } },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 0 } },
    },
    {
      name: 'invalid',
      source: 'digitalocean/openapi specification/shared/responses/unauthorized.yml @7c1300c',
      status: 401,
      body: { id: 'unauthorized', message: 'Unable to authenticate you.' },
      verdict: { isValid: false, code: 'not_recognised' },
    },
    {
      name: 'limited',
      source: 'digitalocean/openapi specification/shared/responses/forbidden.yml @7c1300c',
      status: 403,
      body: { id: 'forbidden', message: 'You do not have permission to perform this action.' },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list', 'dns:read'], missing: ['domain:read'] } },
    },
    {
      name: 'other-403',
      madeUp: 'represents answers that the provider file does not list',
      status: 403,
      body: { id: 'blocked', message: 'No.' },
    },
    {
      name: 'rate-limited',
      source: 'digitalocean/openapi specification/shared/responses/too_many_requests.yml @7c1300c',
      status: 429,
      headers: { 'retry-after': '17', 'ratelimit-limit': '5000', 'ratelimit-remaining': '0' },
      body: { id: 'too_many_requests', message: 'API rate limit exceeded.' },
    },
  ],
}
