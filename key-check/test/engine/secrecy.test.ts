import { inspect } from 'node:util'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { faults, isFaultName } from '../../../simulators/cloudflare/faults.ts'
import { json } from '../../../simulators/cloudflare/routes.ts'
import { readInput } from '../../engine/check.ts'
import { digestOf, readCredential } from '../../engine/credential.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { createVerdictCache } from '../../engine/outcomes.ts'
import { valid } from '../../engine/provider.ts'
import { KeyCheckError } from '../../index.ts'
import cloudflare from '../../providers/cloudflare.ts'
import { startHarness } from './harness.ts'

const key = 'Zx9-canary_Q7w/8e+R6t~5y"U4i<3o>2p&1aSdFgHjK'
const keys = {
  token: 'cfut_Zx9canaryQ7w8eR6t5yU4i3o2p1aSdFgHjKlZxCvB',
  odd: key,
  control: `${key}\nSet-Cookie: x`,
  long: key.repeat(90),
  mail: 'canary.person@example.com',
}

/** Every form of a leak: plain, encoded, escaped, and halves, forwards and backwards. */
function formsOf(secret: string): string[] {
  const half = Math.floor(secret.length / 2)
  const halves = [secret.slice(0, half), secret.slice(half)]
  const whole = [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    [...secret].reverse().join(''),
  ]
  return [...whole, ...halves, ...halves.map((part) => [...part].reverse().join(''))]
}

test('a canary appears in no problem, log line, printed form or verdict', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const { keyChecks, simulator, clock } = await startHarness({ log, limits: { deadlineMs: 150 } })
  const said: string[] = []

  async function check(apiKey: string, email?: string): Promise<void> {
    const keyType = email === undefined ? 'api_token' : 'api_key'
    try {
      said.push(printed(await keyChecks.check({ keyType, apiKey, email, capabilities: true })))
    } catch (error) {
      expect(error).toBeInstanceOf(KeyCheckError)
      log.error({ err: error }, 'refused')
      said.push(printed(error))
    }
    clock.advanceSeconds(400)
  }

  for (const fault of [undefined, ...Object.keys(faults).filter(isFaultName)]) {
    simulator.control.fault = fault
    for (const apiKey of [keys.token, keys.odd]) await check(apiKey)
    await check(keys.odd, keys.mail)
  }
  simulator.control.fault = undefined
  for (const apiKey of [keys.control, keys.long]) await check(apiKey)
  await check(keys.odd, `${keys.mail}\r\nx: y`)
  simulator.control.answer = ({ headers }) => echo(String(headers.authorization))
  await check(keys.token)
  simulator.control.answer = () => json(200, { success: true, result: { status: keys.token } })
  await check(keys.token)
  simulator.control.answer = () =>
    json(200, { success: true, result: { status: 'active', expires_on: keys.token, not_before: keys.token } })
  await check(keys.token)
  simulator.control.answer = () => ({ status: 403, headers: { 'cf-ray': keys.token }, body: keys.token })
  await check(keys.token)

  expect(said.length).toBeGreaterThan(100)
  expect(lines.length).toBeGreaterThan(100)
  const everything = [...said, ...lines].join('\n')
  for (const secret of Object.values(keys))
    for (const form of formsOf(secret)) expect(everything.includes(form), form).toBe(false)
})

test('a cache key does not contain the key, and differs between processes', () => {
  const { credential } = readCredential(cloudflare, readInput({ keyType: 'api_token', apiKey: keys.token }))
  const cache = createVerdictCache(defaultLimits, () => 1)
  const cacheKeys = [digestOf(credential, Buffer.alloc(32, 1)), digestOf(credential, Buffer.alloc(32, 2))]
  const entry = {
    outcome: valid(),
    checkedAtMs: 1,
    isKnown: false,
    wanted: { capabilities: false, zone: '', proof: false },
  }
  for (const cacheKey of cacheKeys) cache.set(cacheKey, entry)
  expect(new Set(cacheKeys).size).toBe(2)
  for (const form of formsOf(keys.token)) expect(printed([cache, cacheKeys, credential]).includes(form)).toBe(false)
})

test('credentials whose joined texts are equal have different cache keys', () => {
  const cacheKey = (email: string, apiKey: string) =>
    digestOf(readCredential(cloudflare, readInput({ keyType: 'api_key', apiKey, email })).credential, Buffer.alloc(32))
  expect(cacheKey('a@b.c', 'cd')).not.toBe(cacheKey('a@b.cc', 'd'))
})

function printed(value: unknown): string {
  const shown = inspect(value, { depth: 20, showHidden: true, getters: true })
  const error = value instanceof Error ? [value.message, value.stack, String(value.cause)].join('\n') : ''
  return [shown, JSON.stringify(value), String(value), error].join('\n')
}

/** An answer that is not HTTP and echoes the request: undici puts such bytes into its error. */
function echo(text: string) {
  return {
    status: 200,
    headers: { 'x-echo': text },
    body: `{"success":false,"errors":[{"code":1,"message":"${text}"}]}`,
  }
}
