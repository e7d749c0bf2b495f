import { expect, test } from 'vitest'

import { sigV4 } from '../../../src/key-checks/engine/signatures.ts'

/** The published vectors: https://github.com/mhart/aws4fetch/tree/f279a7e/test/aws-sig-v4-test-suite */
const awsExample = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const awsTimeMs = Date.parse('2015-08-30T12:36:00Z')

test.each([
  ['/', 'GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['/?Param2=value2&Param1=value1', 'GET', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
] as const)('SigV4 makes the signatures of the published suite: %s', (path, method, signature) => {
  const { authorization } = sigV4(awsExample, { method, url: `https://example.amazonaws.com${path}` }, awsTimeMs)
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  )
})

test('SigV4 signs the token of a session', () => {
  const sessionToken =
    'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='
  const key = { ...awsExample, sessionToken }
  const { authorization } = sigV4(key, { method: 'POST', url: 'https://example.amazonaws.com/' }, awsTimeMs)
  expect(authorization).toContain(
    'SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  )
})
