import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v2/domains?per_page=1', headers: { authorization: 'Bearer {key}' } },
  answers: [
    {
      name: 'valid',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/vultr @e23b58a',
      status: 200,
      body: {
        domains: [{ domain: 'example.eu', date_created: '2021-03-27T09:40:29+00:00' }],
        meta: { total: 2, links: { next: 'bmV4dF9fMTIzNA==', prev: '' } },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.eu'], moreZones: true },
      },
    },
    {
      name: 'invalid',
      source: 'apache/libcloud libcloud/test/compute/test_vultr_v2.py @55e64e1',
      status: 401,
      body: {
        error: 'Invalid API token.',
        status: 401,
      },
      verdict: {
        isValid: false,
        code: 'not_recognised',
      },
    },
    {
      name: 'filtered',
      source: 'https://github.com/vultr/terraform-provider-vultr/issues/375, 2023-07-06',
      status: 401,
      body: {
        error: 'Unauthorized IP address: 203.0.113.9',
        status: 401,
      },
      verdict: {
        isValid: true,
        code: 'ip_filtered',
      },
    },
    ...['no-dns', 'unexplained-403', 'forbidden'].map((name) => ({
      name,
      madeUp: 'no source shows the text of this refusal; it only leads to the next call',
      isFollowed: true as const,
      status: 403,
      body: { error: 'Forbidden', status: 403 },
    })),
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        error: 'Try again',
        status: 401,
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
        error: 'Rate limit reached',
        status: 429,
      },
    },
  ],
}
