import { type Operation, operation } from '../identity/operation.ts'
import type { Validation } from './engine/check.ts'
import { providersContract } from './providers-contract.ts'

export function providers(validation: Validation): Operation<typeof providersContract> {
  const catalogue = { providers: validation.catalogue() }
  return operation(providersContract, async ({ reply }) => {
    // Public, and unchanged until the next release.
    reply.header('cache-control', 'public, max-age=300')
    return catalogue
  })
}
