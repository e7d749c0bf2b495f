import type { Recording } from '../simulator/recording.ts'

const acme = 'acmesh-official/acme.sh dnsapi/dns_netcup.sh, 2026-08 (the members)'

export const recording: Recording = {
  id: 'netcup',
  keyType: 'api_key',
  call: { method: 'GET', path: '/domain?fqdn=example.de', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.de' },
  answers: [
    {
      name: 'zone',
      source: acme,
      status: 200,
      body: { success: true, errors: [], result: [{ id: 4711, fqdn: 'example.de', isDnsManaged: true }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: acme,
      status: 200,
      body: { success: true, errors: [], result: [] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-dns',
      source: acme,
      status: 200,
      body: { success: true, errors: [], result: [{ id: 4711, fqdn: 'example.de', isDnsManaged: false }] },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { success: false, errors: [] } },
  ],
}
