import { dnspodRead, tencentError } from '../simulator/tencentcloud.ts'

const docs = 'https://www.tencentcloud.com/document/product/1157/53854, 2026-11'

export const recording = dnspodRead({ action: 'DescribeDomainList', body: { Limit: 20 } }, {}, [
  {
    name: 'valid',
    source: docs,
    status: 200,
    body: {
      Response: {
        DomainCountInfo: { AllTotal: 1 },
        DomainList: [{ DomainId: 1, Name: 'example.com', Status: 'ENABLE' }],
        RequestId: '01234567',
      },
    },
    verdict: { isValid: true, code: 'valid' },
    shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] } },
  },
  {
    name: 'more-zones',
    source: `${docs} (a full page)`,
    status: 200,
    body: { Response: { DomainList: Array.from({ length: 20 }, (_, n) => ({ Name: `z${n}.example.com` })) } },
    verdict: { isValid: true, code: 'valid' },
    shows: {
      capabilities: {
        abilities: ['zones:list'],
        zones: Array.from({ length: 20 }, (_, n) => `z${n}.example.com`),
        moreZones: true,
      },
    },
  },
  {
    name: 'no-zones',
    source: 'TencentCloud/tencentcloud-sdk-go tencentcloud/dnspod/v20210323, 2026-11 (the code)',
    status: 200,
    body: tencentError('ResourceNotFound.NoDataOfDomain', 'No domain.'),
    verdict: { isValid: true, code: 'no_zones' },
    shows: { capabilities: { abilities: ['zones:list'], zonesVisible: 0 } },
  },
  {
    name: 'denied',
    source: 'zfb132/qcloud-ssl-cdn#28 (the code and the text, of another product)',
    status: 200,
    body: tencentError('AuthFailure.UnauthorizedOperation', '操作未授权，请检查CAM策略。'),
    verdict: { isValid: true, code: 'ability_missing' },
    shows: { capabilities: { lacks: ['zones:list'], missing: ['dnspod:DescribeDomainList'] } },
  },
  {
    name: 'other-error',
    madeUp: 'a network filter is about this server',
    status: 200,
    body: tencentError('IpNotInWhitelist', 'Refused.'),
  },
])
