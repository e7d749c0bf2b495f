import { providersContract } from '../contract/providers.ts'
import { type Operation, operation } from '../server/operation.ts'
import type { Validation } from '../validation/validate.ts'

export function providers(validation: Validation): Operation {
  const catalogue = { providers: validation.catalogue() }
  return operation(providersContract, async ({ reply }) => {
    // Public, and the same until the next release.
    reply.header('cache-control', 'public, max-age=300')
    return catalogue
  })
}
