import { startFreezableProxy } from '../../test/support/freezable-proxy.ts'
import { ask, outcomeOf } from './client.ts'
import { createPeople } from './people.ts'
import type { Finding, Section } from './section.ts'
import type { Stage } from './stage.ts'
import { until, untilSeen } from './wait.ts'

export const freshness: Section = { name: 'freshness', secondsMax: 90, run: refuseDisabled }

const secondsMax = 5

/** Two nodes, of which one loses its way to the database without a FIN. */
async function refuseDisabled(stage: Stage): Promise<readonly Finding[]> {
  const databaseUrl = await (await stage.postgres()).newDatabase()
  const proxy = await startFreezableProxy(databaseUrl)
  stage.onEnd(() => proxy.close())
  const near = await stage.node({ databaseUrl })
  const far = await stage.node({ databaseUrl: proxy.url })
  const { admin, users } = await createPeople(databaseUrl, 2)
  const findings: Finding[] = []
  for (const [index, [frozen, what]] of (
    [
      ['polling', 'the connections on which one of two nodes looks at the changes'],
      ['all', 'every connection of one of two nodes to the database'],
    ] as const
  ).entries()) {
    const { id = '', token = '' } = users[index] ?? {}
    const read = (url: string) => outcomeOf(`${url}/api/v1/user/data`, { token, timeoutMs: 10_000 })
    await until('both nodes know the account', 20, async () => {
      const answers = await Promise.all([read(near.url), read(far.url), read(far.url)])
      return answers.every((answer) => answer === '200')
    })
    proxy.freeze(frozen)
    const request = { method: 'POST', token: admin.token, headers: { 'if-match': '*' } } as const
    const { status } = await ask(`${near.url}/api/v1/admin/users/${id}/disable`, request)
    const disabledAt = performance.now()
    const age = () => (performance.now() - disabledAt) / 1_000
    const lastSeconds = await Promise.all(
      [near, far].map(async ({ url }) => {
        let last = 0
        // Beyond the promise, so that a node that begins again is seen as well.
        for (let sentAt = 0; sentAt < 2 * secondsMax; sentAt = age()) if ((await read(url)) === '200') last = sentAt
        return last
      }),
    )
    const sinceFrozen = await read(far.url)
    proxy.freeze('none')
    await untilSeen('the node is back', 20, '401 account_disabled', () => read(far.url))
    const latest = Math.max(...lastSeconds)
    findings.push({
      done: `no byte passes on ${what}; an account is disabled on the other (${status})`,
      promised: `no request sent ${secondsMax} s later is served to the account, on any node`,
      seen: `last 200 after ${latest.toFixed(1)} s, then ${sinceFrozen}; 401 after the thaw`,
      isKept: latest <= secondsMax && status < 300,
    })
  }
  return findings
}
