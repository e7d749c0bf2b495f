import { alidnsRead, deniedByRam } from '../simulator/alidns.ts'

const members = 'go-acme/lego providers/dns/alidns/alidns.go @a0e15c2 (the members)'

export const recording = alidnsRead({ Action: 'DescribeDomains', PageSize: '20' }, {}, [
  {
    name: 'valid',
    source: members,
    status: 200,
    body: { TotalCount: 2, PageNumber: 1, PageSize: 20, Domains: { Domain: [{ DomainName: 'example.space' }] } },
    verdict: { isValid: true, code: 'valid' },
    shows: {
      capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.space'], moreZones: true },
    },
  },
  {
    name: 'no-zones',
    source: `${members}, with no domain`,
    status: 200,
    body: { TotalCount: 0, PageNumber: 1, PageSize: 20, Domains: { Domain: [] } },
    verdict: { isValid: true, code: 'no_zones' },
    shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
  },
  {
    name: 'denied',
    source: 'jeessy2/ddns-go#1155',
    status: 400,
    body: deniedByRam,
    verdict: { isValid: true, code: 'ability_missing' },
    shows: { capabilities: { lacks: ['zones:list'], missing: ['alidns:DescribeDomains'] } },
  },
  {
    name: 'other-refusal',
    source: 'https://help.aliyun.com/en/dns/error-code, 2026-11 (of another meaning)',
    status: 403,
    body: { HostId: 'alidns.aliyuncs.com', Code: 'Forbidden.RiskControl', Message: 'Risk control.' },
  },
])
