import { namecomApi, namecomCall, namecomParts } from '../simulator/namecom.ts'
import type { Recording } from '../simulator/recording.ts'

const entries = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/namecom @e23b58a (the entry)'

export const recording: Recording = {
  id: 'namecom',
  keyType: 'api_key',
  parts: namecomParts,
  call: namecomCall('/domains?perPage=20&page=1'),
  asks: {},
  answers: [
    {
      name: 'domains',
      source: `${namecomApi}, ${entries}`,
      status: 200,
      body: {
        domains: [
          {
            domainName: 'example.im',
            locked: true,
            autorenewEnabled: true,
            expireDate: '2021-06-02T00:59:57Z',
            createDate: '2014-05-30T18:20:13Z',
          },
        ],
        nextPage: 2,
        lastPage: 2,
        from: 1,
        to: 1,
        totalCount: 2,
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.im'], moreZones: true },
      },
    },
    {
      name: 'no-domains',
      source: namecomApi,
      status: 200,
      body: { domains: [], from: 0, to: 0, totalCount: 0 },
      verdict: { isValid: true, code: 'no_zones' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    { name: 'domains-unauthorized', source: namecomApi, status: 401, body: { message: 'Unauthorized' } },
  ],
}
