import { selectelRead } from '../simulator/selectel.ts'

const source = 'selectel/domains-go pkg/v2/model.go, pkg/v2/zoneManager.go @6b87a8d'

export const recording = selectelRead('/v2/zones?limit=20&offset=0', {}, [
  {
    name: 'valid',
    source,
    status: 200,
    body: {
      count: 1,
      next_offset: 0,
      result: [
        {
          id: '5e5e2c4f-1111-4222-8333-444455556666',
          project_id: '0123456789abcdef0123456789abcdef',
          name: 'example.com.',
          disabled: false,
        },
      ],
    },
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
  },
  {
    name: 'pages',
    source,
    status: 200,
    body: {
      count: 1,
      next_offset: 20,
      result: [
        {
          id: '5e5e2c4f-1111-4222-8333-444455556666',
          project_id: '0123456789abcdef0123456789abcdef',
          name: 'example.com.',
          disabled: false,
        },
      ],
    },
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['zones:list'], zones: ['example.com'], moreZones: true } },
  },
  {
    name: 'no-zones',
    source: `${source} (no zone)`,
    status: 200,
    body: { count: 0, next_offset: 0, result: [] },
    verdict: { isValid: true, code: 'no_zones' },
    shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
  },
  {
    name: 'zones-unauthorized',
    madeUp: 'no source shows the body of this refusal',
    status: 401,
    body: { error: 'unauthorized' },
  },
])
