import type { Config } from '../../src/config.ts'
import type { IssuerEntry } from '../../src/identity/issuers/entries.ts'
import { fetchKeys } from '../../src/identity/issuers/open-issuers.ts'
import { type CheckResult, resultsOf } from './check-result.ts'

const { ok, fail } = resultsOf('issuers')

const timeoutMs = 5_000

/** Checks that every configured issuer publishes usable keys, all at once. */
export async function checkIssuers({ issuers }: Config): Promise<readonly CheckResult[]> {
  return Promise.all(issuers.map(checkIssuer))
}

async function checkIssuer(entry: IssuerEntry): Promise<CheckResult> {
  const { issuer, keys: place } = entry
  if (place.kind === 'none' || place.kind === 'inline') return ok(`${issuer}: its keys are in the settings.`)
  try {
    const { length } = await fetchKeys(entry, place, AbortSignal.timeout(timeoutMs))
    return ok(`${issuer}: ${length === 1 ? 'one usable key' : `${length} usable keys`}.`)
  } catch (error) {
    return fail(
      `${issuer}: no keys from ${place.url} (${reasonOf(error)}), so its tokens are refused: check its entry in MUSTER_ISSUERS and the network.`,
    )
  }
}

/** Only our own words and error codes: nothing that the issuer sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  if (error.name === 'TimeoutError') return 'no answer in time'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
