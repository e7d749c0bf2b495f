import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'luadns',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v1/zones/5/records?limit=1', headers: { authorization: 'Basic {email:key}' } },
  asks: { zone: 'example.org' },
  answers: [
    {
      name: 'records',
      source: 'luadns/luadns-go testdata/http/zones/5/records.index @b473781',
      status: 200,
      body: [
        {
          id: 115_014_343,
          name: 'example.org.',
          type: 'SOA',
          content: 'ns1.luadns.net. hostmaster.luadns.net. 1692974561 1200 120 604800 3600',
          ttl: 3600,
          zone_id: 5,
          generated: false,
          created_at: '2023-08-25T09:07:17Z',
          updated_at: '2023-08-25T09:07:17Z',
        },
      ],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'] }, fitsPurpose: 'yes' },
    },
  ],
}
