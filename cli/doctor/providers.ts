import { type KnownProvider, knownProviders } from '../../key-check/index.ts'
import type { Config } from '../../src/config.ts'
import { type CheckResult, resultsOf } from './check-result.ts'
import { reachFault } from './reach.ts'

const { ok, warn, fail } = resultsOf('providers')

/** Checks that the providers are reachable, all at once and without a credential. */
export async function* checkProviders({ providers }: Config): AsyncGenerator<CheckResult, void, void> {
  const known = new Map((await knownProviders()).map((provider) => [provider.id, provider]))
  if (!known.has(providers.defaultId))
    yield fail(`There is no provider ${providers.defaultId}: set MUSTER_DEFAULT_PROVIDER to one of docs/providers.md.`)
  for (const id of providers.baseUrls.keys())
    if (!known.has(id)) yield warn(`There is no provider ${id}, for which an address is set.`)

  const reached = await Promise.all([...known.values()].map((provider) => reach(provider, providers.baseUrls)))
  const first = reached.find(({ id }) => id === providers.defaultId)
  if (first)
    yield first.fault === undefined ? ok(`${first.title} is reachable.`) : fail(unreachable([first], first.fault))
  const others = reached.filter((one) => one !== first)
  yield* checkOthers(others)
}

interface Reached {
  readonly id: string
  readonly title: string
  readonly host: string
  readonly fault: string | undefined
}

async function reach({ id, title, baseUrl }: KnownProvider, configured: ReadonlyMap<string, string>): Promise<Reached> {
  const address = configured.get(id) ?? baseUrl
  return { id, title, host: new URL(address).host, fault: await reachFault(address, configured.has(id)) }
}

/** One result for the reachable providers, and one for each reason why others are not. */
function* checkOthers(others: readonly Reached[]): Generator<CheckResult, void, void> {
  const faults = new Set(others.map(({ fault }) => fault))
  for (const fault of faults) {
    const group = others.filter((one) => one.fault === fault)
    if (fault !== undefined) yield warn(unreachable(group, fault))
    else yield ok(`${group.length} of ${others.length} others are reachable.`)
  }
}

function unreachable(group: readonly Reached[], fault: string): string {
  const names = group.map(({ title, host }) => `${title} (${host})`).join(', ')
  return `Not reachable, ${fault}: check network, DNS and firewall. ${names}.`
}
