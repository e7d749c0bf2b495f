import type { Recording } from '../simulator/recording.ts'
import { isSignedTc3 } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'tencentcloud',
  keyType: 'api_key',
  parts: { secretId: 'AKIDExample' },
  call: {
    method: 'POST',
    path: '/',
    headers: {},
    accepts: (sent, { apiKey, parts }) =>
      sent.headers['x-tc-action'] === 'GetCallerIdentity' &&
      sent.headers['x-tc-version'] === '2018-08-13' &&
      isSignedTc3(sent, 'sts.tencentcloudapi.com', parts.secretId ?? '', apiKey),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://www.tencentcloud.com/document/product/1150/68278, 2026-11',
      status: 200,
      body: {
        Response: {
          Arn: 'qcs::cam::uin/100000000001:uin/100000000001',
          AccountId: '100000000001',
          UserId: '100000000001',
          PrincipalId: '100000000001',
          Type: 'CAMUser',
          RequestId: '01234567',
        },
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong-secret',
      source: 'TencentCloud/tencentcloud-sdk-ruby#9',
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.SignatureFailure', Message: 'The provided credentials could not be validated.' },
          RequestId: '01234567-89ab-cdef',
        },
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'unknown-id',
      source: 'starsunyzl/ddns-scripts-dnspod#3',
      status: 200,
      body: {
        Response: {
          Error: {
            Code: 'AuthFailure.SecretIdNotFound',
            Message: 'The SecretId is not found, please ensure that your SecretId is correct.',
          },
          RequestId: '01234567-89ab-cdef',
        },
      },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'token',
      source: 'https://www.tencentcloud.com/document/api/1278/46715, table of error codes, 2026-11',
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.TokenFailure', Message: 'Token error.' },
          RequestId: '01234567-89ab-cdef',
        },
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'limited',
      source: 'https://www.tencentcloud.com/document/api/1278/46715, table of error codes, 2026-11',
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.UnauthorizedOperation', Message: 'Not authorised.' },
          RequestId: '01234567-89ab-cdef',
        },
      },
      verdict: { isValid: true, code: 'limited_permissions' },
    },
    {
      name: 'clock',
      source: 'https://www.tencentcloud.com/document/api/1278/46715, table of error codes, 2026-11',
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.SignatureExpire', Message: 'Signature expired.' },
          RequestId: '01234567-89ab-cdef',
        },
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'other',
      source:
        'https://www.tencentcloud.com/document/api/1278/46715, table of error codes, 2026-11 (of another meaning)',
      status: 200,
      body: {
        Response: {
          Error: { Code: 'AuthFailure.MFAFailure', Message: 'MFA failed.' },
          RequestId: '01234567-89ab-cdef',
        },
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
