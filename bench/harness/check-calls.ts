import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { openKeyChecks } from '../../key-check/engine/check.ts'
import { defaultLimits } from '../../key-check/engine/limits.ts'

export interface SliceOrder {
  readonly side: 'ours' | 'bare'
  readonly atOnce: number
  readonly forMs: number
}

export interface Slice {
  readonly calls: number
  readonly seconds: number
  readonly cpuMs: number
  readonly timesMs: readonly number[]
}

/** Makes calls for `forMs`, `atOnce` in parallel, and measures each. Any failure ends the run. */
export async function runSlice(call: () => Promise<void>, atOnce: number, forMs: number): Promise<Slice> {
  const timesMs: number[] = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const work = async () => {
    while (performance.now() - startedAt < forMs) {
      const at = performance.now()
      await call()
      timesMs.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1_000
  return { calls: timesMs.length, seconds, cpuMs: (user + system) / 1_000, timesMs }
}

/** All different, so that no check is coalesced or cached. */
export function distinctTokens(): () => string {
  const run = randomBytes(12).toString('hex')
  let number = 0
  return () => `cfut_${run}${String(number++).padStart(24, '0')}`
}

/** The bare call of a check. */
export function bareCall(
  baseUrl: string,
  token: () => string,
): { call: () => Promise<void>; close: () => Promise<void> } {
  const { origin, pathname } = new URL(baseUrl)
  const pool = new Pool(origin, { connections: defaultLimits.connectionsMax })
  return {
    async call() {
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `${pathname}/user/tokens/verify`,
        headers: { authorization: `Bearer ${token()}`, accept: 'application/json' },
      })
      const text = await body.text()
      if (statusCode !== 200 || !text.includes('active')) throw new Error(`the stub answered ${statusCode}`)
    },
    close: () => pool.destroy(),
  }
}

/** A whole check by the engine: validation, fingerprint, single-flight, throttle, call, classification, message. */
export async function engineCall(baseUrl: string, token: () => string) {
  const keyChecks = await openKeyChecks({
    defaultProvider: 'cloudflare',
    baseUrls: { cloudflare: baseUrl },
    limits: { callsPerSecondMax: 1_000_000 },
  })
  return {
    async call() {
      const { outcome } = await keyChecks.check({ keyType: 'api_token', apiKey: token() })
      if (outcome !== 'valid') throw new Error('the engine did not report a token as valid')
    },
    close: () => keyChecks.close(),
  }
}
