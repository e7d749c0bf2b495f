import type { FailureCounts } from '../failure-counts.ts'
import { type Credential, cacheKeyOf, partDigestOf } from './credential.ts'

/**
 * Wrong secrets of the same ID, in the shared store of failed keys: a provider with `rivalSecrets` rejects even the right secret for some
 * seconds after a wrong one.
 */
export interface RivalSecrets {
  /** When another secret of this ID was last rejected, milliseconds since 1970. Undefined if that does not matter any more. */
  lastRejectedMs(credential: Credential): Promise<number | undefined>
  /** Stores that this secret was rejected now. */
  reject(credential: Credential): Promise<void>
}

export function createRivalSecrets(
  { take, remember }: Pick<FailureCounts, 'take' | 'remember'>,
  digestKey: Buffer,
  now: () => number,
): RivalSecrets {
  const digestOf = (credential: Credential) =>
    partDigestOf(credential, credential.provider.rivalSecrets?.part ?? '', digestKey)
  return {
    async lastRejectedMs(credential) {
      const { known } = await take({ digest: digestOf(credential), shares: [], provider: credential.provider.id })
      return known && known.askedBy !== cacheKeyOf(credential, digestKey) ? known.checkedAtMs : undefined
    },
    async reject(credential) {
      const checkedAtMs = now()
      // Twice the time, because the clocks of nodes differ.
      const endsAtMs = checkedAtMs + 2 * (credential.provider.rivalSecrets?.afterMs ?? 0)
      const askedBy = cacheKeyOf(credential, digestKey)
      await remember({ digest: digestOf(credential), askedBy, outcome: {}, checkedAtMs, endsAtMs })
    },
  }
}
