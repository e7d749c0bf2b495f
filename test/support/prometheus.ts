import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

/** Whether Prometheus and promtool are installed. */
export const isPrometheusThere = ['prometheus', 'promtool'].every((tool) => spawnSync(tool, ['--version']).status === 0)

export interface Prometheus {
  /** The series of a query, with their values now. NaN stands for what has no value. */
  query(expr: string): Promise<readonly Series[]>
  /** Names of the alerts that fire. */
  firing(): Promise<readonly string[]>
}

export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

/** A Prometheus that scrapes `/metrics` of the service four times a second, until the end of the test. `rules` is the text of a file of rules. */
export async function startPrometheus(target: { url: string; token: string }, rules: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-prometheus-'))
  const port = await freePort()
  writeFileSync(join(folder, 'rules.yaml'), rules)
  writeFileSync(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms }
rule_files: [rules.yaml]
scrape_configs:
  - job_name: muster
    authorization: { credentials: ${target.token} }
    static_configs: [{ targets: ['${new URL(target.url).host}'] }]
`,
  )
  const args = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn('prometheus', args, { cwd: folder, stdio: 'ignore' })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exited
    rmSync(folder, { recursive: true })
  })
  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    // The trust boundary to Prometheus, whose answers have this form.
    const body = (await answer.json()) as { status: string; error?: string; data: Data }
    if (body.status !== 'success') throw new Error(`${decodeURIComponent(path)}: ${body.error}`)
    return body.data
  }
  const prometheus: Prometheus = {
    async query(expr) {
      const { result } = await ask<Answered>(`query?query=${encodeURIComponent(expr)}`)
      return result.map(({ metric, value: [, value] }) => ({ metric, value: Number(value) }))
    },
    async firing() {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts')
      const names = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
      return [...new Set(names)].sort()
    },
  }
  await expect.poll(async () => (await prometheus.query('up').catch(() => []))[0]?.value).toBe(1)
  return prometheus
}

interface Answered {
  readonly result: readonly { readonly metric: Series['metric']; readonly value: readonly [number, string] }[]
}
