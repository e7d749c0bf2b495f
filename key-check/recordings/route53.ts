import type { Recording } from '../simulator/recording.ts'
import { isSignedV4 } from '../simulator/sigv4.ts'

const example = 'AKIAIOSFODNN7EXAMPLE'
const requestId = '01234567-89ab-cdef-0123-456789abcdef'

export const recording: Recording = {
  id: 'route53',
  keyType: 'api_key',
  parts: { accessKeyId: example },
  call: {
    method: 'GET',
    path: '/?Action=GetCallerIdentity&Version=2011-06-15',
    headers: { accept: 'application/json' },
    accepts: (sent, { apiKey, parts }) =>
      isSignedV4(sent, 'sts.us-east-1.amazonaws.com', {
        accessKeyId: parts.accessKeyId ?? '',
        secretAccessKey: apiKey,
        sessionToken: parts.sessionToken,
        service: 'sts',
        region: 'us-east-1',
      }),
  },
  answers: [
    {
      name: 'valid',
      isFollowed: true,
      source: 'kubernetes-sigs/aws-iam-authenticator pkg/token/token.go @e1dff7d',
      status: 200,
      body: {
        GetCallerIdentityResponse: {
          GetCallerIdentityResult: {
            Account: '123456789012',
            Arn: 'arn:aws:iam::123456789012:user/dns',
            UserId: 'AIDACKCEVSQ6C2EXAMPLE',
          },
          ResponseMetadata: { RequestId: requestId },
        },
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'unknown-id',
      source: 'aws-azure-login/aws-azure-login#251 and barnybug/cli53#278 (the XML of the same code)',
      status: 403,
      body: {
        Error: {
          Code: 'InvalidClientTokenId',
          Message: 'The security token included in the request is invalid.',
          Type: 'Sender',
        },
        RequestId: requestId,
      },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'unknown-id-xml',
      source: 'barnybug/cli53#278',
      status: 403,
      headers: { 'content-type': 'text/xml' },
      body: `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <Error>
    <Type>Sender</Type>
    <Code>InvalidClientTokenId</Code>
    <Message>The security token included in the request is invalid</Message>
  </Error>
  <RequestId>${requestId}</RequestId>
</ErrorResponse>
`,
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'wrong-secret',
      source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html, 2026-11',
      status: 403,
      body: {
        Error: {
          Code: 'SignatureDoesNotMatch',
          Message:
            'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
          Type: 'Sender',
        },
        RequestId: requestId,
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'expired',
      source: 'prowler-cloud/prowler#789',
      parts: { accessKeyId: 'ASIAIOSFODNN7EXAMPLE', sessionToken: `FwoGZXIvYXdzE${'x'.repeat(100)}==` },
      status: 403,
      body: {
        Error: {
          Code: 'ExpiredToken',
          Message: 'The security token included in the request is expired',
          Type: 'Sender',
        },
        RequestId: requestId,
      },
      verdict: { isValid: false, code: 'expired' },
    },
    {
      name: 'clock',
      source: 'aws/aws-cli#6676',
      status: 403,
      body: {
        Error: {
          Code: 'SignatureDoesNotMatch',
          Message:
            'Signature expired: 20220127T001427Z is now earlier than 20220127T014428Z (20220127T015928Z - 15 min.)',
          Type: 'Sender',
        },
        RequestId: requestId,
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'denied-here',
      source: 'pcorliss/ruby_route_53#16 (of another call; not known here)',
      status: 403,
      body: {
        Error: { Code: 'AccessDenied', Message: 'User is not authorized', Type: 'Sender' },
        RequestId: requestId,
      },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
