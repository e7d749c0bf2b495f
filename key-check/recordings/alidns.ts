import type { Recording } from '../simulator/recording.ts'
import { isSignedAlibaba } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'alidns',
  keyType: 'api_key',
  parts: { accessKeyId: 'LTAI5tExample' },
  call: {
    method: 'POST',
    path: '/',
    headers: {},
    accepts: (sent, { apiKey, parts }) =>
      isSignedAlibaba(sent, apiKey) && new URLSearchParams(sent.body).get('AccessKeyId') === parts.accessKeyId,
  },
  answers: [
    {
      name: 'valid',
      source:
        'https://www.alibabacloud.com/help/en/ram/developer-reference/api-sts-2015-04-01-getcalleridentity, 2026-11',
      status: 200,
      body: {
        IdentityType: 'RAMUser',
        AccountId: '1234567890123456',
        RequestId: '01234567',
        PrincipalId: '216959339000654321',
        UserId: '216959339000654321',
        Arn: 'acs:ram::1234567890123456:user/dns',
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong-secret',
      source: 'jeessy2/ddns-go#936',
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'SignatureDoesNotMatch',
        Message: 'Specified signature is not matched with our calculation. server string to sign is:POST&%2F&…',
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'unknown-id',
      source: 'google/osv-scalibr veles validator of Alibaba Cloud keys, 2026-11',
      status: 404,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'InvalidAccessKeyId.NotFound',
        Message: 'Specified access key is not found.',
      },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'inactive',
      source: 'google/osv-scalibr veles validator of Alibaba Cloud keys, 2026-11',
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'InvalidAccessKeyId.Inactive',
        Message: 'Specified access key is disabled.',
      },
      verdict: { isValid: false, code: 'disabled' },
    },
    {
      name: 'expired-token',
      source: 'help.aliyun.com, page api-error-codes-1 of STS, 2026-11 (the text and the status)',
      parts: { accessKeyId: 'STS.Example', securityToken: 'CAISexample' },
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'InvalidSecurityToken.Expired',
        Message: 'Specified SecurityToken is expired.',
      },
      verdict: { isValid: false, code: 'expired' },
    },
    {
      name: 'malformed-token',
      source: 'help.aliyun.com, page api-error-codes-1 of STS, 2026-11 (the text and the status)',
      parts: { accessKeyId: 'STS.Example', securityToken: 'CAISexample' },
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'InvalidSecurityToken.Malformed',
        Message: 'Specified SecurityToken is malformed.',
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'limited',
      source: 'google/osv-scalibr veles validator of Alibaba Cloud keys, 2026-11',
      status: 403,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'Forbidden.AccessDenied',
        Message: 'Access denied.',
      },
      verdict: { isValid: true, code: 'limited_permissions' },
    },
    {
      name: 'clock',
      source: 'https://www.alibabacloud.com/help/en/sdk/product-overview/rpc-mechanism, 2026-11',
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'InvalidTimeStamp.Expired',
        Message: 'Specified time stamp or date value is expired.',
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 400,
      body: {
        RequestId: '01234567-89AB-CDEF-0123-456789ABCDEF',
        HostId: 'sts.aliyuncs.com',
        Code: 'Something.New',
        Message: 'New.',
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
