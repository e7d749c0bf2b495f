import type { KeyChecks } from '../../key-check/index.ts'
import { secondsText } from '../progress.ts'
import type { KeyRow, MalformedRow } from './key-rows.ts'

/** What is ahead, in one line. Each check makes a call at least, and providers are asked side by side. */
export function estimateOf(
  rows: readonly (KeyRow | MalformedRow)[],
  carried: number,
  keyChecks: Pick<KeyChecks, 'callsPerSecondMax'>,
): string {
  const byProvider = new Map<string, number>()
  for (const row of rows) if (!('reason' in row)) byProvider.set(row.provider, (byProvider.get(row.provider) ?? 0) + 1)
  const seconds = [...byProvider].map(([provider, count]) => {
    const perSecond = keyChecks.callsPerSecondMax(provider)
    return perSecond === 0 ? 0 : Math.ceil(count / perSecond)
  })
  const before = carried === 0 ? '' : `, ${carried} judged before`
  const keys = [...byProvider.values()].reduce((sum, count) => sum + count, 0)
  return `${keys} keys to check${before}: at least ${secondsText(Math.max(0, ...seconds))}, more where a provider asks for a wait.`
}
