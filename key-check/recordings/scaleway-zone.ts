import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/scaleway @e23b58a'

export const recording: Recording = {
  id: 'scaleway',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/domain/v2beta1/dns-zones/example.com/records?page_size=1',
    headers: { 'x-auth-token': '{key}' },
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        total_count: 2,
        records: [
          {
            id: 'f5836d62-1111-4222-8333-444455556666',
            data: 'ns0.dom.scw.cloud.',
            name: '',
            priority: 0,
            ttl: 1800,
            type: 'NS',
            comment: null,
          },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 403,
      body: { message: 'domain not found' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'no-permission',
      source: 'scaleway/scaleway-sdk-go scw/errors.go @2c5cd81',
      status: 403,
      body: {
        type: 'permissions_denied',
        message: 'insufficient permissions',
        details: [{ resource: 'dns', action: 'read' }],
      },
      verdict: { isValid: true, code: 'ability_missing' },
      shows: {
        capabilities: {
          abilities: ['zones:list'],
          lacks: ['dns:read'],
          missing: ['DomainsDNSReadOnly'],
          zonesVisible: 3,
          zones: ['example.org'],
          moreZones: true,
        },
        fitsPurpose: 'unknown',
      },
    },
    { name: 'other-403', madeUp: 'stands for any other answer', status: 403, body: { message: 'forbidden' } },
  ],
}
