import type { Recording } from '../simulator/recording.ts'
import { hostedZone, isSignedForRoute53, route53Xml } from '../simulator/route53.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/route53 @e23b58a'

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: { method: 'GET', path: '/@dns/2013-04-01/hostedzone?maxitems=100', headers: {}, accepts: isSignedForRoute53 },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'list-only',
      source: `${cassettes} (in the list of API_ListHostedZones)`,
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ListHostedZonesResponse',
        `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.to.')}</HostedZones><IsTruncated>true</IsTruncated><MaxItems>100</MaxItems>`,
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zones: ['example.to'], moreZones: true },
        fitsPurpose: 'unknown',
      },
    },
  ],
}
