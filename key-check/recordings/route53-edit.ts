import type { Recording } from '../simulator/recording.ts'
import { deletesNothing, deniedXml, route53Xml } from '../simulator/route53.ts'

const headers = { 'content-type': 'text/xml' }
const read = ['zones:list', 'dns:read']

function error(code: string, message: string): string {
  return route53Xml(
    'ErrorResponse',
    `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>7eb28fd5-9ce6-11e4-a8e8-9f105805808f</RequestId>`,
  )
}

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
  call: {
    method: 'POST',
    path: '/@dns/2013-04-01/hostedzone/Z040120927RX9CM00XXXX/rrset/',
    headers: { 'content-type': 'application/xml' },
    accepts: (sent, credential) => deletesNothing(sent, credential, 'example.tk'),
  },
  asks: { zone: 'example.tk', proves: true },
  answers: [
    {
      name: 'editable',
      source: 'boto/boto#2887 (with another name and type)',
      status: 400,
      headers,
      body: error(
        'InvalidChangeBatch',
        "Tried to delete resource record set [name='k.example.tk.', type='TXT'] but it was not found",
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: [...read, 'dns:edit'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'editable-other-value',
      source: 'kubernetes-sigs/external-dns#732 (with another name)',
      status: 400,
      headers,
      body: error(
        'InvalidChangeBatch',
        "Tried to delete resource record set [name='_acme-challenge.example.tk.', type='TXT'] but the values provided do not match the current values",
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: [...read, 'dns:edit'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'editable-list-of-messages',
      source:
        'aws/aws-sdk-go-v2 service/route53/internal/customizations/doc.go @e4eef92 (with the message of boto/boto#2887)',
      status: 400,
      headers,
      body: route53Xml(
        'InvalidChangeBatch',
        "<Messages><Message>Tried to delete resource record set [name='k.example.tk.', type='TXT'] but it was not found</Message></Messages>",
      ),
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          abilities: ['zones:list', 'dns:edit'],
          lacks: ['dns:read'],
          missing: ['route53:ListResourceRecordSets'],
        },
        fitsPurpose: 'yes',
      },
    },
    {
      name: 'read-only',
      source: 'ministryofjustice/modernisation-platform#1837 (with this action)',
      status: 403,
      headers,
      body: deniedXml('route53:ChangeResourceRecordSets'),
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: read, lacks: ['dns:edit'], missing: ['route53:ChangeResourceRecordSets'] },
        fitsPurpose: 'no',
      },
    },
    {
      name: 'read-only-short',
      source: 'aws/aws-sdk-php#2141',
      status: 403,
      headers,
      body: error('AccessDenied', 'User: arn:aws:iam::123456789012:user/ is not authorized to access this resource'),
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: read, lacks: ['dns:edit'], missing: ['route53:ChangeResourceRecordSets'] },
        fitsPurpose: 'no',
      },
    },
    {
      name: 'invalid-input',
      source: 'aws/aws-cli#1136',
      status: 400,
      headers,
      body: error('InvalidInput', 'Invalid request'),
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: read }, fitsPurpose: 'unknown' },
    },
    {
      name: 'other-400',
      madeUp: 'another refusal of the batch says nothing about permissions',
      status: 400,
      headers,
      body: error('InvalidChangeBatch', 'The request contains an invalid set of changes'),
    },
  ],
}
