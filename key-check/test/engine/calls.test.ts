import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../simulators/cloudflare/server.ts'
import { samples as S, synthetic } from '../../../simulators/cloudflare/state.ts'
import { createRivalSecrets } from '../../engine/calls.ts'
import { runCheck } from '../../engine/check-run.ts'
import { readCredential } from '../../engine/credential.ts'
import { defaultLimits } from '../../engine/limits.ts'
import { nextProbe, type ProviderRequest, provider, valid } from '../../engine/provider.ts'
import { openProviderClient } from '../../engine/provider-client.ts'
import { readInput } from '../../engine/read-input.ts'
import { createFailureCounts } from '../../engine/shares.ts'
import type { Call } from '../../index.ts'
import { startHarness, startMs } from './harness.ts'

test('a check whose caller leaves before its turn makes no call and is not counted', async () => {
  const calls: Call[] = []
  const { check, simulator } = await startHarness({
    limits: { checksAtOnceMax: 1 },
    onCall: (call) => calls.push(call),
  })
  let open = () => {}
  simulator.control.hold = new Promise((done) => {
    open = done
  })
  const leaving = new AbortController()
  const first = check(S.userToken)
  const second = check(S.oldUserToken, { signal: leaving.signal })
  const third = check(S.expiring)
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  open()
  expect((await Promise.all([first, third])).map(({ outcome }) => outcome)).toEqual(['valid', 'valid'])
  expect(calls.map(({ outcome }) => outcome)).toEqual(['valid', 'valid'])
})

test('the clock is corrected only after the provider rejected the time', async () => {
  const simulator = await startCloudflareSimulator()
  const times: number[] = []
  const request = (_: unknown, { nowMs }: { nowMs: number }): ProviderRequest => {
    times.push(nowMs)
    return { path: '/', headers: {} }
  }
  const signing = provider({
    id: 'signing',
    title: 'Signing',
    docs: 'https://signing.example/docs',
    keyPage: 'https://signing.example/keys',
    baseUrl: 'https://signing.example',
    keyTypes: { api_token: { label: 'token', email: 'unused' } },
    certainty: 'documented',
    firstRead: { grows: 'never' },
    abilities: { unknown: 'Not known.' },
    request,
    classify: () => nextProbe({ request, classify: () => valid() }),
  })
  const limits = defaultLimits
  const now = () => startMs
  const client = openProviderClient({ provider: signing, baseUrl: simulator.url, limits, now, clock: now })
  onTestFinished(async () => {
    await client.close()
    await simulator.close()
  })
  const date = new Date(startMs + 3_600_000).toUTCString()
  simulator.control.answer = () => ({ status: 200, headers: { date }, body: '{}' })
  const { credential } = readCredential(signing, readInput({ keyType: 'api_token', apiKey: 'x' }))
  const none = () => {}
  const rivalSecrets = createRivalSecrets(createFailureCounts(now), Buffer.alloc(32), now)
  const parts = { client, limits, now, onCall: none, onFailedAuthentication: async () => true, rivalSecrets }
  const outcome = await runCheck(parts, credential, {
    wanted: { capabilities: false, zone: '', proof: false },
    controller: new AbortController(),
  })
  expect(outcome).toEqual(valid())
  expect(times).toEqual([startMs, startMs])
})

test("Cloudflare's request id is reported; other values of its header are not", async () => {
  const rays: unknown[] = []
  const { check, simulator } = await startHarness({ onCall: ({ cfRay }) => rays.push(cfRay) })
  const ray = '8f0e1d2c3b4a5968'
  const sent = [ray, `${ray}-FRA`, `${ray}0`, ray.slice(1), 'a', `${ray}-fra`, `${ray}-FRANKFURT`, S.userToken]
  for (const [number, value] of sent.entries()) {
    const body = '{"success":true,"result":{"id":"1","status":"active"}}'
    simulator.control.answer = () => ({ status: 200, headers: { 'cf-ray': value }, body })
    await check(synthetic('cfut_', `Ray${number}`))
  }
  expect(rays).toEqual([ray, `${ray}-FRA`, ...sent.slice(2).map(() => undefined)])
})
