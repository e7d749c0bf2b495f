import type { RecordedAnswer, Recording } from './recording.ts'
import { isSignedAlibaba } from './signatures.ts'

/** A recorded read of Alibaba Cloud DNS. Every call has the same path; the form says which one it is. */
export function alidnsRead(
  call: Readonly<Record<string, string>>,
  asks: NonNullable<Recording['asks']>,
  answers: readonly RecordedAnswer[],
): Recording {
  return {
    id: 'alidns',
    keyType: 'api_key',
    parts: { accessKeyId: 'LTAI5tExample' },
    call: {
      method: 'POST',
      path: '/@dns/',
      headers: {},
      accepts: (sent, { apiKey, parts }) => {
        const form = new URLSearchParams(sent.body)
        const members = { ...call, Version: '2015-01-09', AccessKeyId: parts.accessKeyId ?? '' }
        return (
          isSignedAlibaba(sent, apiKey) && Object.entries(members).every(([name, value]) => form.get(name) === value)
        )
      },
    },
    asks,
    answers,
  }
}

/** The refusal of a call that no policy allows, as logged. */
export const deniedByRam = {
  RequestId: 'FE1FD5FA-BBC7-54D7-8F4C-000000000000',
  HostId: 'alidns.aliyuncs.com',
  Code: 'Forbidden.RAM',
  Message: "User not authorized to operate on the specified resource, or this API doesn't support RAM.",
  AccessDeniedDetail: { AuthPrincipalOwnerId: '1900000000000000', AuthPrincipalType: 'SubUser' },
}

/** As logged. */
export const noSuchDomain = {
  RequestId: '52617F98-3E38-4DE2-A75D-000000000000',
  HostId: 'alidns.aliyuncs.com',
  Code: 'InvalidDomainName.NoExist',
  Message: 'The specified domain name does not exist. Refresh the page and try again.',
}
