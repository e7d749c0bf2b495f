import { alidnsRead, deniedByRam } from '../simulator/alidns.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/aliyun @e23b58a'
const zone = 'example.space'
const records = {
  TotalCount: 1,
  PageNumber: 1,
  PageSize: 1,
  DomainRecords: { Record: [{ RecordId: '16460000000000000', RR: '@', Type: 'A', DomainName: zone }] },
}

export const recording = alidnsRead({ Action: 'DescribeDomainRecords', DomainName: zone, PageSize: '1' }, { zone }, [
  {
    name: 'zone',
    source: cassettes,
    status: 200,
    body: records,
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
  },
  {
    name: 'records-only',
    source: cassettes,
    status: 200,
    body: records,
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['dns:read'] }, fitsPurpose: 'yes' },
  },
  {
    name: 'zone-without-records',
    source: 'jeessy2/ddns-go#1155',
    status: 400,
    body: deniedByRam,
    verdict: { isValid: true, code: 'ability_missing' },
    shows: {
      capabilities: { lacks: ['dns:read'], missing: ['alidns:DescribeDomainRecords'] },
      fitsPurpose: 'yes',
    },
  },
  {
    name: 'denied',
    source: 'jeessy2/ddns-go#1155',
    status: 400,
    body: deniedByRam,
    verdict: { isValid: true, code: 'ability_missing' },
    shows: {
      capabilities: { lacks: ['dns:read'], missing: ['alidns:DescribeDomainRecords'] },
      fitsPurpose: 'unknown',
    },
  },
])
