import { AwsV4Signer } from 'aws4fetch'
import type { Sent } from './recording.ts'

interface SigV4Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  readonly service: string
  readonly region: string
}

/** Whether the call was signed with this key for the host. Verified with a separate library. */
export async function isSignedV4(sent: Sent, host: string, key: SigV4Key): Promise<boolean> {
  const { sessionToken, ...rest } = key
  const signer = new AwsV4Signer({
    ...rest,
    method: sent.method,
    url: `https://${host}${sent.path}`,
    datetime: String(sent.headers['x-amz-date']),
    ...(sessionToken !== undefined && { sessionToken }),
    ...(sent.body !== '' && { body: sent.body }),
  })
  const { headers } = await signer.sign()
  return headers.get('authorization') === sent.headers.authorization
}
