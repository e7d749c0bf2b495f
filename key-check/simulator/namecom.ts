import type { RecordedCall } from './recording.ts'

export const namecomParts = { username: 'example' }

/** The OpenAPI document of the vendor. */
export const namecomApi = 'namedotcom/namecom-mcp assets/namecom.api.yaml @83ae0f6'

export function namecomCall(path: string): RecordedCall {
  return {
    method: 'GET',
    path: `/core/v1${path}`,
    headers: {},
    accepts: ({ headers }, { apiKey, parts }) =>
      headers.authorization === `Basic ${Buffer.from(`${parts.username}:${apiKey}`).toString('base64')}`,
  }
}
