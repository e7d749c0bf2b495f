import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { takeDatabaseAway } from '../support/database-away.ts'
import { isPrometheusThere, startPrometheus } from '../support/prometheus.ts'
import { type Service, serviceForTest } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const textOf = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const withPrometheus = test.runIf(isPrometheusThere)

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[]
}

// Trust boundary to the files of this repository.
const dashboard = JSON.parse(textOf('deploy/grafana/muster.json')) as Dashboard
const rules = parse(textOf('deploy/prometheus/alerts.yaml')) as {
  groups: { rules: { alert: string; for: string }[] }[]
}
const alerts = rules.groups.flatMap((group) => group.rules)

/** Removes the delays of alerts, so that they fire immediately. */
const impatientRules = stringify({
  groups: rules.groups.map((group) => ({ ...group, rules: group.rules.map((rule) => ({ ...rule, for: '0s' })) })),
})

const token = 'a-token-of-the-monitoring'

/** Configures everything that has metrics, and makes some calls of every kind. */
async function loadedService(): Promise<Service> {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const service = await serviceForTest({
    env: {
      MUSTER_METRICS_TOKEN: token,
      MUSTER_CLOUDFLARE_URL: simulator.url,
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      MUSTER_SMTP_URL: 'smtp://127.0.0.1:9',
      MUSTER_MAIL_FROM: 'muster@corp.example',
    },
  })
  return service
}

async function callEverything(service: Service): Promise<void> {
  const admin = await service.person({ role: 'admin' })
  for (let round = 0; round < 5; round += 1) {
    await service.get('/api/v1/user/data', { token: admin.token })
    await service.get('/api/v1/admin/users/fetch', { token: admin.token })
    await service.get('/api/v1/admin/users/fetch')
    const body = { apiKey: round === 0 ? samples.userToken : `cfut_${round}`.padEnd(45, 'x'), keyType: 'api_token' }
    await service.call('POST', '/api/v1/provider/keys/validate', { token: admin.token, body })
  }
}

withPrometheus('every alert fires at its fault and at nothing less, by the tests of promtool', () => {
  const promtool = (...args: readonly string[]) => execFileSync('promtool', args, { cwd: root, encoding: 'utf8' })
  expect(promtool('check', 'rules', 'deploy/prometheus/alerts.yaml')).toContain(`${alerts.length} rules found`)
  expect(promtool('test', 'rules', 'deploy/prometheus/alerts.test.yaml')).toContain('SUCCESS')
  const tested = parse(textOf('deploy/prometheus/alerts.test.yaml')) as { tests: { name: string }[] }
  expect(tested.tests.map(({ name }) => name)).toEqual(alerts.map(({ alert }) => alert))
})

/** Tests have no backups. */
const alwaysFiring = ['MusterBackupOld']

/** These have a series per kind of failure, and nothing has failed. */
const emptyWhereAllIsWell = [/muster_database_failures_total/]

withPrometheus('every query of the dashboard has an answer from a loaded service, and no alert fires', async () => {
  const service = await loadedService()
  const prometheus = await startPrometheus({ url: service.url, token }, impatientRules)
  // Between scrapes, so that rates change.
  await callEverything(service)
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
  expect(queries.length).toBeGreaterThan(25)
  for (const { title, expr } of queries) {
    const asked = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')
    const answered = async () => (await prometheus.query(asked)).length > 0
    if (emptyWhereAllIsWell.some((pattern) => pattern.test(expr))) await answered()
    else await expect.poll(answered, { message: `${title}: ${expr}` }).toBe(true)
  }
  expect(await prometheus.firing()).toEqual(alwaysFiring)
})

withPrometheus('alerts fire at faults that are really made, and end with them', async () => {
  const service = await loadedService()
  const prometheus = await startPrometheus({ url: service.url, token }, impatientRules)
  await callEverything(service)

  await service.get('/readyz', { headers: { 'X-Forwarded-For': '192.0.2.7' } })
  await service.sql(
    `insert into mail_outbox (id, kind, sealed, next_at, expires_at, created_at) values
       (gen_random_uuid(), 'password_changed', '', now() + interval '1 day', now() + interval '1 day', now() - interval '1 hour')`,
  )
  await expect.poll(() => prometheus.firing()).toEqual([...alwaysFiring, 'MusterMailWaiting', 'MusterProxyUntrusted'])

  const { back } = await takeDatabaseAway(service)
  await expect
    .poll(async () => {
      await service.get('/api/v1/admin/users/fetch', { token: 'a.b.c' })
      await service.get('/readyz')
      return prometheus.firing()
    })
    .toEqual(expect.arrayContaining(['MusterDatabaseDown', 'MusterErrors']))
  await back()
  await expect.poll(() => prometheus.firing()).not.toContain('MusterDatabaseDown')
  // The 5-minute rate takes a while to fall.
  await expect.poll(() => prometheus.firing(), { timeout: 180_000 }).not.toContain('MusterErrors')
})
