import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'undici'
import { listStatement } from '../../src/users/list-all.ts'
import { type BackgroundLoad, watchBackgroundLoad } from './background-load.ts'
import { listPath } from './listing-questions.ts'
import type { BenchService } from './service.ts'

/** One full export over HTTP, and psql's COPY of the same rows if psql is installed. */
interface Lap {
  readonly ourSeconds: number
  readonly copySeconds: number | undefined
  readonly bytes: number
  readonly backgroundLoad: BackgroundLoad
}

export interface Race {
  readonly laps: readonly Lap[]
  /** Resident memory of the service before the first lap, and its peak during the laps. */
  readonly idleMiB: number
  readonly peakMiB: number
}

export const psqlMissing = 'psql is not installed (Debian: apt-get install postgresql-client)'

/** The service and psql alternate. The operating system measures memory and its peak. */
export async function raceExports(service: BenchService, databaseUrl: string, count: number): Promise<Race> {
  const hasPsql = spawnSync('psql', ['--version']).status === 0
  const idleMiB = service.rssMiB().now
  const laps: Lap[] = []
  let peakMiB = 0
  for (let lap = 0; lap < count; lap += 1) {
    const measureBackgroundLoad = watchBackgroundLoad()
    const copySeconds = hasPsql ? await copyWithPsql(databaseUrl) : undefined
    service.forgetPeak()
    const startedAtMs = performance.now()
    const bytes = await drain(service)
    const ourSeconds = (performance.now() - startedAtMs) / 1_000
    peakMiB = Math.max(peakMiB, service.rssMiB().peak)
    laps.push({ ourSeconds, copySeconds, bytes, backgroundLoad: measureBackgroundLoad() })
  }
  return { laps, idleMiB, peakMiB }
}

async function drain(service: BenchService): Promise<number> {
  const { body, statusCode } = await request(`${service.url}${listPath}`, {
    headers: { authorization: `Bearer ${service.token}` },
    bodyTimeout: 0,
  })
  if (statusCode !== 200) throw new Error(`the export answered ${statusCode}`)
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

async function copyWithPsql(databaseUrl: string): Promise<number> {
  const { statement } = listStatement({ filters: {}, sort: 'created', format: 'json' })
  const startedAtMs = performance.now()
  const psql = spawn('psql', [databaseUrl, '-qc', `copy (${statement.text}) to stdout`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  psql.stdout.resume()
  const [code] = await once(psql, 'exit')
  if (code !== 0) throw new Error(`psql ended with ${code}`)
  return (performance.now() - startedAtMs) / 1_000
}
