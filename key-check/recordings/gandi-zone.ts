import type { Recording } from '../simulator/recording.ts'

const tests = 'octodns/octodns-gandi tests/test_octodns_provider_gandi.py @716be2f'

export const recording: Recording = {
  id: 'gandi',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v5/livedns/domains/example.net', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.net' },
  answers: [
    {
      name: 'zone',
      source: 'go-gandi/go-gandi livedns @29df693 (the members)',
      status: 200,
      body: { fqdn: 'example.net', domain_href: 'https://api.gandi.net/v5/livedns/domains/example.net' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: tests,
      status: 404,
      body: { code: 404, message: 'The resource could not be found.', object: 'HTTPNotFound', cause: 'Not Found' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'refused',
      source: `${tests} (of several causes)`,
      status: 403,
      body: { code: 403, message: 'Access was denied to this resource.', object: 'HTTPForbidden', cause: 'Forbidden' },
    },
  ],
}
