import type { RecordedAnswer, Recording } from './recording.ts'
import { isSignedTc3 } from './signatures.ts'

/** A recorded read of DNSPod. Every call has the same path; a header says which one it is. */
export function dnspodRead(
  { action, body }: { readonly action: string; readonly body: object },
  asks: NonNullable<Recording['asks']>,
  answers: readonly RecordedAnswer[],
): Recording {
  return {
    id: 'tencentcloud',
    keyType: 'api_key',
    parts: { secretId: 'AKIDExample' },
    call: {
      method: 'POST',
      path: '/@dns/',
      headers: { 'x-tc-action': action, 'x-tc-version': '2021-03-23' },
      body,
      accepts: (sent, { apiKey, parts }) =>
        isSignedTc3(sent, 'dnspod.tencentcloudapi.com', parts.secretId ?? '', apiKey),
    },
    asks,
    answers,
  }
}

/** An error of DNSPod, which has status 200. */
export function tencentError(Code: string, Message: string): object {
  return { Response: { Error: { Code, Message }, RequestId: 'ed93f3cb-f35e-473f-b9f3-0d451b8b79c6' } }
}
