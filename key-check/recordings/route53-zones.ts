import type { Recording } from '../simulator/recording.ts'
import { deniedXml, hostedZone, isSignedForRoute53, route53Xml } from '../simulator/route53.ts'

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: { method: 'GET', path: '/@dns/2013-04-01/hostedzone?maxitems=20', headers: {}, accepts: isSignedForRoute53 },
  asks: {},
  answers: [
    {
      name: 'valid',
      source:
        'https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListHostedZones.html, 2026-11 (with a zone of the cassette)',
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ListHostedZonesResponse',
        `<HostedZones>${hostedZone('Z040120927RX9CM00XXXX', 'example.tk.')}${hostedZone('Z040120927RX9CM00YYYY', 'example.org.')}</HostedZones><IsTruncated>true</IsTruncated><NextMarker>Z3</NextMarker><MaxItems>2</MaxItems>`,
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.tk', 'example.org'], moreZones: true } },
    },
    {
      name: 'no-zones',
      source: 'https://docs.aws.amazon.com/Route53/latest/APIReference/API_ListHostedZones.html, 2026-11 (no zone)',
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ListHostedZonesResponse',
        '<HostedZones/><IsTruncated>false</IsTruncated><MaxItems>20</MaxItems>',
      ),
      verdict: { isValid: true, code: 'no_zones' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'denied',
      source: 'ministryofjustice/modernisation-platform#1837',
      isFollowed: true,
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListHostedZones'),
    },
    {
      name: 'by-name-only',
      source: 'ministryofjustice/modernisation-platform#1837',
      isFollowed: true,
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: deniedXml('route53:ListHostedZones'),
    },
    {
      name: 'not-signed-up',
      source: 'pcorliss/ruby_route_53#1',
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml(
        'ErrorResponse',
        '<Error><Type>Sender</Type><Code>OptInRequired</Code><Message>The AWS Access Key Id needs a subscription for the service</Message></Error>',
      ),
      verdict: { isValid: true, code: 'service_not_enabled' },
      shows: { capabilities: { missing: ['Route 53'] } },
    },
    {
      name: 'contradicts-itself',
      madeUp: 'a list with an error proves nothing',
      status: 200,
      headers: { 'content-type': 'text/xml' },
      body: route53Xml('ErrorResponse', '<Error><Code>Odd</Code></Error><IsTruncated>false</IsTruncated>'),
    },
  ],
}
