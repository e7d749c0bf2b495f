import type { Recording } from '../simulator/recording.ts'
import { isSignedHuawei } from '../simulator/signatures.ts'

const docs = 'https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_62003.html, 2026-11'
const named = (name: string) => ({ id: '2c9eb155587194ec01587224c9f90149', name, status: 'ACTIVE' })

export const recording: Recording = {
  id: 'huaweicloud',
  keyType: 'api_key',
  parts: { accessKeyId: 'QTWAOYTTINDUT2QVKYUC' },
  call: {
    method: 'GET',
    path: '/v2/zones?name=example.com&limit=50',
    headers: {},
    accepts: (sent, { apiKey, parts: { accessKeyId = '' } }) =>
      // The query is signed in the order of its names.
      isSignedHuawei(
        { ...sent, path: sent.path.replace('name=example.com&limit=50', 'limit=50&name=example.com') },
        'dns.myhuaweicloud.com',
        accessKeyId,
        apiKey,
      ),
  },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: docs,
      status: 200,
      body: { zones: [named('my-example.com.'), named('example.com.')], metadata: { total_count: 2 } },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: `${docs} (part of a name matches)`,
      status: 200,
      body: { zones: [named('my-example.com.')], metadata: { total_count: 1 } },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'full-page',
      source: `${docs} (a full page)`,
      status: 200,
      body: {
        zones: Array.from({ length: 50 }, (_, n) => named(`z${n}.example.com.`)),
        metadata: { total_count: 60 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'unknown' },
    },
    { name: 'other-404', madeUp: 'stands for any other answer, which shows nothing', status: 404, body: {} },
  ],
}
