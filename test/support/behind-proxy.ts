import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { caddy, haproxy, nginx, type ReverseProxy, startProxy } from '../../scripts/faults/proxies.ts'
import { until } from '../../scripts/faults/wait.ts'

const proxies: Readonly<Record<string, ReverseProxy>> = { nginx, haproxy, caddy }

/**
 * The proxy in front of every service of the tests, with its file in deploy/proxies and compression of JSON:
 * `MUSTER_TEST_PROXY=nginx npx vitest run test/http/admin`. None by default.
 */
export function chosenProxy(): ReverseProxy | undefined {
  const name = process.env.MUSTER_TEST_PROXY
  if (name === undefined) return undefined
  const proxy = proxies[name]
  if (!proxy) throw new Error(`MUSTER_TEST_PROXY may be: ${Object.keys(proxies).join(', ')}`)
  return proxy
}

export interface RunningProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the proxy in front of a service, and waits until it answers. */
export async function startProxyOf(
  proxy: ReverseProxy,
  serviceUrl: string,
  { compresses = true } = {},
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-proxy-'))
  const endings: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const { host } = new URL(serviceUrl)
  const stage = { folder, onEnd: (work: () => unknown) => endings.push(work) }
  const url = await startProxy(stage, proxy, [host, host], { compresses })
  await until('the proxy serves', 20, async () => (await statusOf(`${url}/livez`)) === 200)
  return {
    url,
    async stop() {
      for (const end of endings.splice(0).reverse()) await end()
    },
  }
}

async function statusOf(url: string): Promise<number> {
  const answer = await request(url).catch(() => undefined)
  await answer?.body.dump()
  return answer?.statusCode ?? 0
}
