import type { Recording } from '../simulator/recording.ts'
import { isSignedTc3 } from '../simulator/signatures.ts'
import { tencentError } from '../simulator/tencentcloud.ts'

const codes = 'https://cloud.tencent.com/document/api/1427/56192, table of error codes, 2026-11'

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
      name: 'not-an-api-key',
      source: codes,
      status: 200,
      body: tencentError('AuthFailure.InvalidSecretId', 'Invalid key (not a TencentCloud API key type).'),
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'second-factor',
      source: codes,
      status: 200,
      body: tencentError('AuthFailure.MFAFailure', 'MFA failed.'),
      verdict: { isValid: true, code: 'limited_permissions' },
    },
    {
      name: 'other-address',
      source: codes,
      status: 200,
      body: tencentError('IpNotInWhitelist', 'The IP is not on the allowlist.'),
      verdict: { isValid: true, code: 'ip_filtered' },
    },
    {
      name: 'blocked-address',
      source: codes,
      status: 200,
      body: tencentError('IpInBlacklist', 'The IP is on the blocklist.'),
      verdict: { isValid: true, code: 'ip_filtered' },
    },
    {
      name: 'other',
      source: codes,
      status: 200,
      body: tencentError('AuthFailure.InvalidAuthorization', 'The Authorization header is invalid.'),
    },
    {
      name: 'account-limit',
      source: codes,
      status: 200,
      body: tencentError('RequestLimitExceeded.GlobalRegionUinLimitExceeded', 'The account exceeds the limit.'),
      problem: 'provider_busy',
      retryAfterSeconds: 60,
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
