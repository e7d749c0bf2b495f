import type { Recording } from '../simulator/recording.ts'
import { deniedXml, hostedZone, isSignedForRoute53, route53Xml } from '../simulator/route53.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/route53 @e23b58a'

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: {
    method: 'GET',
    path: '/@dns/2013-04-01/hostedzonesbyname?maxitems=20',
    headers: {},
    accepts: isSignedForRoute53,
  },
  asks: {},
  answers: [
    {
      name: 'by-name-only',
      source: cassettes,
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ListHostedZonesByNameResponse',
        `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.tk.')}</HostedZones><IsTruncated>false</IsTruncated><MaxItems>20</MaxItems>`,
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.tk'] } },
    },
    {
      name: 'denied',
      source: 'cert-manager/cert-manager#2010',
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListHostedZonesByName'),
      verdict: { isValid: true, code: 'ability_missing' },
      shows: { capabilities: { lacks: ['zones:list'], missing: ['route53:ListHostedZones'] } },
    },
  ],
}
