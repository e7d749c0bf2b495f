import { type Operation, operation } from '../../identity/operation.ts'
import { keySetContract } from '../contract/well-known.ts'
import type { BuiltInIssuer } from '../issuer.ts'

export function wellKnownJwks(issuer: BuiltInIssuer): Operation {
  return operation(keySetContract, async ({ reply }) => {
    // Public, and shorter than the time between a key's publication and its first use.
    reply.header('cache-control', 'public, max-age=300')
    return { keys: await issuer.keys.published() }
  })
}
