import { selectelRead } from '../simulator/selectel.ts'

const source = 'selectel/domains-go pkg/v2/model.go, pkg/v2/zoneManager.go @6b87a8d'

export const recording = selectelRead('/v2/zones?limit=20&offset=0&filter=example.com', { zone: 'example.com' }, [
  {
    name: 'valid',
    isFollowed: true,
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
  },
  {
    name: 'no-zone',
    source: `${source} (no zone of the name)`,
    status: 200,
    body: {
      count: 1,
      next_offset: 0,
      result: [
        {
          id: '5e5e2c4f-1111-4222-8333-444455556666',
          project_id: '0123456789abcdef0123456789abcdef',
          name: 'old-example.com.',
          disabled: false,
        },
      ],
    },
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'no' },
  },
  {
    name: 'zone-on-another-page',
    source: `${source} (no zone of the name)`,
    status: 200,
    body: {
      count: 1,
      next_offset: 20,
      result: [
        {
          id: '5e5e2c4f-1111-4222-8333-444455556666',
          project_id: '0123456789abcdef0123456789abcdef',
          name: 'old-example.com.',
          disabled: false,
        },
      ],
    },
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'unknown' },
  },
  { name: 'other-404', madeUp: 'stands for any other answer', status: 404, body: { error: 'not_found' } },
])
