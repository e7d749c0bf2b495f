import { discoveryContract } from '../contract/well-known.ts'
import { discoveryOf } from '../issuer/discovery.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { type Operation, operation } from '../server/operation.ts'

export function wellKnownOpenidConfiguration(issuer: BuiltInIssuer): Operation {
  const document = discoveryOf(issuer.settings.issuer)
  return operation(discoveryContract, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return document
  })
}
