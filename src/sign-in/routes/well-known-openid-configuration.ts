import { type Operation, operation } from '../../identity/operation.ts'
import { discoveryContract } from '../contract/well-known.ts'
import { discoveryOf } from '../discovery.ts'
import type { BuiltInIssuer } from '../issuer.ts'

export function wellKnownOpenidConfiguration(issuer: BuiltInIssuer): Operation {
  const document = discoveryOf(issuer.settings.issuer)
  return operation(discoveryContract, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return document
  })
}
