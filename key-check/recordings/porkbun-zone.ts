import type { Recording } from '../simulator/recording.ts'

/** The API description of Porkbun, as generated code. */
const api = 'jianyuan/terraform-provider-porkbun internal/apiclient/apiclient.gen.go @a9941d1'

export const recording: Recording = {
  id: 'porkbun',
  keyType: 'api_key',
  parts: { apiKeyId: 'pk1_example' },
  call: {
    method: 'GET',
    path: '/api/json/v3/dns/retrieveByNameType/example.xyz/TXT/_acme-challenge',
    headers: { 'x-api-key': 'pk1_example', 'x-secret-api-key': '{key}' },
  },
  asks: { zone: 'example.xyz' },
  answers: [
    {
      name: 'zone',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/porkbun @e23b58a (the form)',
      status: 200,
      body: { status: 'SUCCESS', cloudflare: 'enabled', records: [] },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/porkbun @e23b58a',
      status: 400,
      body: { status: 'ERROR', message: 'Invalid domain.' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'no-zone-with-code',
      source: api,
      status: 400,
      body: { status: 'ERROR', message: 'Invalid domain.', code: 'INVALID_DOMAIN' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-domains-only',
      source: 'https://porkbun.com/api/json/v3/spec, 2026-11 (the code)',
      status: 403,
      body: { status: 'ERROR', message: 'Domain not allowed.', code: 'DOMAIN_NOT_ALLOWED' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'no-api-access',
      source: 'jeessy2/ddns-go#1015 and caddy-dns/porkbun#15',
      status: 400,
      body: { status: 'ERROR', message: 'Domain is not opted in to API access.' },
      verdict: { isValid: true, code: 'service_not_enabled' },
      shows: { capabilities: { missing: ['API Access of this domain'] }, fitsPurpose: 'no' },
    },
    {
      name: 'other-400',
      madeUp: 'stands for any other answer, which shows nothing',
      status: 400,
      body: { status: 'ERROR', message: 'Something else.' },
    },
  ],
}
