import type { RecordedAnswer, Recording } from './recording.ts'

/** The service user of the recordings. */
export const selectelParts = {
  username: 'dns-user',
  accountId: '123456',
  projectId: '0123456789abcdef0123456789abcdef',
}

/** A recorded call of version 2 with the token that the password was exchanged for. */
export function selectelRead(
  path: string,
  asks: NonNullable<Recording['asks']>,
  answers: readonly RecordedAnswer[],
): Recording {
  const call = { method: 'GET', path, headers: { 'x-auth-token': '{token}' } } as const
  return { id: 'selectel', keyType: 'api_token', parts: selectelParts, call, asks, answers }
}
