import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { serviceForTest, testInProcess } from '../support/service.ts'

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The rules as Prometheus reads them. */
const { groups } = parse(textOf('deploy/prometheus/alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[]
}
const rules = groups.flatMap((group) => group.rules)

// Metrics of the embedded database, which tests do not use.
testInProcess('every metric of an alert exists, with a label value that the service writes', async () => {
  const token = 'a-token-of-the-monitoring'
  const env = {
    MUSTER_METRICS_TOKEN: token,
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    MUSTER_SMTP_URL: 'smtp://127.0.0.1:9',
    MUSTER_MAIL_FROM: 'muster@corp.example',
  }
  const service = await serviceForTest({ env })
  const { text } = await service.get('/metrics', { token })
  const metrics = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name))
  for (const { alert, expr } of rules)
    for (const [name] of expr.matchAll(/\b(muster|process|nodejs)_\w+/g))
      expect(metrics, alert).toContain(name.replace(/_count$/, ''))
  const states = [...text.matchAll(/^muster_database_state\{state="(\w+)"\}/gm)].map(([, state]) => state)
  const limits = [...text.matchAll(/^muster_limit_reached_total\{limit="([\w ]+)"\} 0$/gm)].map(([, limit]) => limit)
  const alertedLimits = rules.flatMap(({ expr }) => [...expr.matchAll(/muster_limit_reached_total\{limit="([\w ]+)"/g)])
  expect(alertedLimits.map(([, limit]) => limit)).toEqual(limits)
  const alerted = rules.flatMap(({ expr }) => [...expr.matchAll(/muster_database_state\{state=~?"([\w|]+)"/g)])
  expect(['up', ...alerted.flatMap(([, values = '']) => values.split('|'))].sort()).toEqual(states.sort())
})

test('docs/monitoring.md explains every alert, and no alert that does not exist', () => {
  const [, section = ''] = /\n## Alerts\n(.*?)\n## /s.exec(textOf('docs/monitoring.md')) ?? []
  const described = section
    .split('\n### ')
    .slice(1)
    .map((part) => part.split('\n'))
  expect(described.map(([name]) => name)).toEqual(rules.map(({ alert }) => alert))
  for (const [name, , paragraph = ''] of described) {
    const summary = rules.find(({ alert }) => alert === name)?.annotations.summary ?? ''
    expect(paragraph.startsWith(summary), name).toBe(true)
    expect(paragraph.length, name).toBeGreaterThan(summary.length + 20)
  }
})
