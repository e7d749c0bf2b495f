import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/nsone @e23b58a'

export const recording: Recording = {
  id: 'ns1',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/zones/example.com?records=false', headers: { 'x-nsone-key': '{key}' } },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: `${cassettes} (body), ns1/ns1-go rest/zone.go @2b174a2 (without records)`,
      status: 200,
      body: {
        nx_ttl: 3600,
        retry: 7200,
        zone: 'example.com',
        dnssec: false,
        network_pools: ['p08'],
        primary: { enabled: false, secondaries: [] },
        refresh: 43_200,
        expiry: 1_209_600,
        dns_servers: ['dns1.p08.nsone.net', 'dns2.p08.nsone.net'],
        records: [],
        meta: {},
        link: null,
        serial: 1_521_989_346,
        ttl: 3600,
        id: '5ab69dd6bbccf900012ef579',
        hostmaster: 'hostmaster@nsone.net',
        networks: [0],
        pool: 'p08',
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'], zones: ['example.org'], moreZones: true },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 404,
      body: { message: 'zone not found' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'zone-forbidden',
      madeUp: 'no source shows the answer to a key without the permission',
      status: 403,
      body: { message: 'Forbidden' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { message: 'not found' } },
  ],
}
