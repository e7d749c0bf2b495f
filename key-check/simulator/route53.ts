import type { RecordedCredential, Sent } from './recording.ts'
import { isSignedV4 } from './sigv4.ts'

/** Whether a read of Route 53 was signed with this credential. */
export function isSignedForRoute53(sent: Sent, { apiKey, parts }: RecordedCredential): Promise<boolean> {
  const path = sent.path.replace(/^\/@dns/, '')
  return isSignedV4({ ...sent, path }, 'route53.amazonaws.com', {
    accessKeyId: parts.accessKeyId ?? '',
    secretAccessKey: apiKey,
    sessionToken: parts.sessionToken,
    service: 'route53',
    region: 'us-east-1',
  })
}

/** Whether a write to Route 53 was signed with this credential, body included, and deletes one TXT record of a random value. */
export async function deletesNothing(sent: Sent, credential: RecordedCredential, zone: string): Promise<boolean> {
  const [, name, value] =
    /<Action>DELETE<\/Action><ResourceRecordSet><Name>([a-z._-]+)\.<\/Name><Type>TXT<.*<Value>"([0-9a-f]{32})"<\/Value>/.exec(
      sent.body,
    ) ?? []
  const isOne = sent.body.split('<Change>').length === 2 && value !== undefined && name === `_acme-challenge.${zone}`
  return isOne && sent.headers['content-type'] === 'application/xml' && isSignedForRoute53(sent, credential)
}

/** A document of Route 53. */
export function route53Xml(root: string, content: string): string {
  return `<?xml version="1.0"?>\n<${root} xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${content}</${root}>`
}

/** A hosted zone, as logged. */
export function hostedZone(id: string, name: string): string {
  return `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}</Name><CallerReference>01f9750a-3dfe-4a6a-95fd-519b1359643f</CallerReference><Config><Comment>Test</Comment><PrivateZone>false</PrivateZone></Config><ResourceRecordSetCount>3</ResourceRecordSetCount></HostedZone>`
}

/** The refusal of an action that no policy allows. */
export function deniedXml(action: string): string {
  const text = `User: arn:aws:iam::123456789012:user/dns is not authorized to perform: ${action} because no identity-based policy allows the ${action} action`
  return route53Xml(
    'ErrorResponse',
    `<Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${text}</Message></Error><RequestId>7eb28fd5-9ce6-11e4-a8e8-9f105805808f</RequestId>`,
  )
}
