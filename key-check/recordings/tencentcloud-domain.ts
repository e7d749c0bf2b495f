import { dnspodRead, tencentError } from '../simulator/tencentcloud.ts'

const codes = 'TencentCloud/tencentcloud-sdk-go tencentcloud/dnspod/v20210323/errors.go @098631f'
const zone = 'example.com'

export const recording = dnspodRead({ action: 'DescribeDomain', body: { Domain: zone } }, { zone }, [
  {
    name: 'zone',
    source: 'TencentCloud/tencentcloud-sdk-go tencentcloud/dnspod/v20210323, 2026-11 (the members)',
    status: 200,
    body: { Response: { DomainInfo: { DomainId: 1, Domain: zone, Status: 'enable' }, RequestId: '01234567' } },
    verdict: { isValid: true, code: 'valid' },
    shows: { fitsPurpose: 'yes' },
  },
  {
    name: 'no-zone',
    source: codes,
    status: 200,
    body: tencentError('InvalidParameterValue.DomainNotExists', '当前域名有误，请返回重新操作。'),
    verdict: { isValid: true, code: 'valid' },
    shows: { fitsPurpose: 'no' },
  },
  {
    name: 'zone-of-another',
    source: codes,
    status: 200,
    body: tencentError('OperationDenied.NoPermissionToOperateDomain', '当前域名无权限，请返回域名列表。'),
    verdict: { isValid: true, code: 'valid' },
    shows: { fitsPurpose: 'no' },
  },
  {
    name: 'denied',
    source: 'zfb132/qcloud-ssl-cdn#28 (the code and the text, of another product)',
    isFollowed: true,
    status: 200,
    body: tencentError('AuthFailure.UnauthorizedOperation', '操作未授权，请检查CAM策略。'),
  },
  {
    name: 'other-error',
    source: `${codes} (of another meaning)`,
    status: 200,
    body: tencentError('FailedOperation', '操作失败。'),
  },
])
