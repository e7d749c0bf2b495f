import type { Recording } from '../simulator/recording.ts'
import { isSignedHuawei } from '../simulator/signatures.ts'

const parts = { accessKeyId: 'QTWAOYTTINDUT2QVKYUC' }

function refusal(text: string) {
  const error_msg = `Incorrect IAM authentication information: ${text}`
  return { error_msg, error_code: 'APIGW.0301', request_id: '8080d377bffeb6d519b0567c09cebe6b' }
}

export const recording: Recording = {
  id: 'huaweicloud',
  keyType: 'api_key',
  parts,
  call: {
    method: 'GET',
    path: '/v2/zones?limit=1',
    headers: {},
    accepts: (sent, { apiKey, parts: { accessKeyId = '', securityToken } }) =>
      isSignedHuawei(sent, 'dns.myhuaweicloud.com', accessKeyId, apiKey) &&
      sent.headers['x-security-token'] === securityToken,
  },
  answers: [
    {
      name: 'valid',
      source: 'https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_62003.html, 2026-11',
      status: 200,
      body: {
        links: { self: 'https://dns.myhuaweicloud.com/v2/zones?limit=1' },
        zones: [{ id: '2c9eb155587194ec01587224c9f90149', name: 'example.org.', status: 'ACTIVE' }],
        metadata: { total_count: 2 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 2, zones: ['example.org'], moreZones: true } },
    },
    {
      name: 'session',
      source: 'https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_62003.html, 2026-11',
      parts: { ...parts, securityToken: 'gQpjbi1ub3J0aC00example' },
      status: 200,
      body: { zones: [], metadata: { total_count: 0 } },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
    },
    {
      name: 'wrong-secret',
      source: 'huaweicloud/huaweicloud-sdk-nodejs-v3#2',
      status: 401,
      body: refusal(
        'verify aksk signature fail, canonicalRequest:GET|/v2/zones/|limit=1|host:dns.myhuaweicloud.com|x-sdk-date:20261101T120000Z||',
      ),
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'unknown-id',
      source: 'jeessy2/ddns-go#844',
      status: 401,
      body: refusal('ak QTWAOYTTINDUT2QVKYUC not exist'),
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'clock',
      source: 'huaweicloud/huaweicloud-sdk-java-v3#44',
      status: 401,
      body: refusal(
        'calc aksk signature fail:signature expired, signature time:20211217T064303Z,server time:20211217T065804Z',
      ),
      problem: 'provider_clock_refused',
    },
    {
      name: 'unknown-id-elsewhere',
      source: 'support.huaweicloud.com, page apig-faq-0003, 2026-11',
      status: 401,
      body: { ...refusal('Get secretKey failed,ak:QTWAOYTTINDUT2QVKYUC,err:ak not exist'), error_code: 'APIG.0301' },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'locked',
      source: 'support.huaweicloud.com, page apig-faq-0003, 2026-11',
      status: 401,
      body: { ...refusal('AK access failed to reach the limit,forbidden.'), error_code: 'APIG.0301' },
      problem: 'provider_busy',
      retryAfterSeconds: 300,
    },
    { name: 'other-401', madeUp: 'the text is in notes', status: 401, body: refusal('Unauthorized') },
    {
      name: 'limited',
      madeUp: 'a test double',
      status: 403,
      body: { error_code: 'IAM.0002', error_msg: 'Policy does not allow it' },
    },
    {
      name: 'no-policy',
      madeUp: 'the log of this code is not in a source that can be named, and is about another call',
      status: 403,
      body: { code: 'DNS.1802', message: "Policy doesn't allow dns:zone:list to be performed." },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
