import { selectelRead } from '../simulator/selectel.ts'

export const recording = selectelRead(
  '/v2/zones/5e5e2c4f-1111-4222-8333-444455556666/rrset?limit=1&offset=0',
  { zone: 'example.com' },
  [
    {
      name: 'records',
      source: 'selectel/domains-go pkg/v2/model.go, pkg/v2/rrsetManager.go @6b87a8d',
      status: 200,
      body: {
        count: 1,
        next_offset: 1,
        result: [
          { id: '6f6f3d5a-1111-4222-8333-444455556666', name: 'example.com.', type: 'NS', ttl: 86400, records: [] },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'] }, fitsPurpose: 'yes' },
    },
  ],
)
