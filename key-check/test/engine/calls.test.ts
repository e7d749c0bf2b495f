import { expect, test } from 'vitest'
import { samples as S, synthetic } from '../../../simulators/cloudflare/state.ts'
import { nextProbe, type ProviderRequest, provider, valid } from '../../engine/provider.ts'
import type { Call } from '../../index.ts'
import cloudflare from '../../providers/cloudflare.ts'
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
  const times: number[] = []
  const request = (_: unknown, { nowMs }: { nowMs: number }): ProviderRequest => {
    times.push(nowMs)
    return { path: '/', headers: {} }
  }
  const firstProbe = () => ({ request, classify: () => nextProbe({ request, classify: () => valid() }) })
  const signing = provider({ ...cloudflare, firstProbe })
  const { outcomeOf, simulator } = await startHarness({ providers: new Map([['cloudflare', signing]]) })
  const date = new Date(startMs + 3_600_000).toUTCString()
  simulator.control.answer = () => ({ status: 200, headers: { date }, body: '{}' })
  expect(await outcomeOf(S.userToken)).toEqual({ outcome: 'valid', code: 'valid' })
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
