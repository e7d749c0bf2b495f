import { alidnsRead, deniedByRam, noSuchDomain } from '../simulator/alidns.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/aliyun @e23b58a'
const zone = 'example.space'
const domain = {
  RecordLines: { RecordLine: [] },
  PunyCode: zone,
  AliDomain: true,
  DnsServers: { DnsServer: ['dns9.hichina.com', 'dns10.hichina.com'] },
  VersionCode: 'mianfei',
  DomainName: zone,
  DomainId: '00000000-3f49-405d-9d39-000000000000',
}

export const recording = alidnsRead({ Action: 'DescribeDomainInfo', DomainName: zone }, { zone }, [
  { name: 'zone', source: cassettes, isFollowed: true, status: 200, body: domain },
  { name: 'zone-without-records', source: cassettes, isFollowed: true, status: 200, body: domain },
  { name: 'records-only', source: 'jeessy2/ddns-go#1155', isFollowed: true, status: 400, body: deniedByRam },
  { name: 'denied', source: 'jeessy2/ddns-go#1155', isFollowed: true, status: 400, body: deniedByRam },
  {
    name: 'no-zone',
    source: cassettes,
    status: 400,
    body: noSuchDomain,
    verdict: { isValid: true, code: 'valid' },
    shows: { fitsPurpose: 'no' },
  },
  { name: 'other-404', madeUp: 'stands for any other answer, which shows nothing', status: 404, body: {} },
])
