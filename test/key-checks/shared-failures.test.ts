import { expect, onTestFinished, test } from 'vitest'
import { boundsOf, createShares } from '../../key-check/engine/shares.ts'
import { createFailureCounts } from '../../key-check/index.ts'
import { sharedFailureCounts } from '../../src/key-checks/shared-failures.ts'
import { Problem } from '../../src/platform/problems.ts'
import { reusedDatabase } from '../support/reused-database.ts'

test('counts in the process while the database is down', async () => {
  const unavailable = () => Promise.reject(new Problem('database_unavailable'))
  const counts = sharedFailureCounts({ side: { query: unavailable } }, Date.now)
  const { take } = createShares(counts, Date.now)
  const check = (id: string, digest: string) =>
    take({
      provider: 'cloudflare',
      bounds: boundsOf(10, 300_000),
      caller: { id, failedKeysMax: 3 },
      isBulk: false,
      isFresh: false,
      digest,
      askedBy: id,
      signal: new AbortController().signal,
    })
  for (let n = 0; n < 3; n += 1) {
    const admission = await check('greedy', String(n))
    if (admission.kind !== 'place') throw new Error('there is no place')
    await admission.place.failed()
    await admission.place.end({ kind: 'invalid', reason: 'not_recognised' })
  }
  expect(await check('greedy', 'next')).toMatchObject({ kind: 'refused', outcome: { reason: 'share_used' } })
  expect(await check('greedy', '0')).toMatchObject({ kind: 'known', outcome: { reason: 'not_recognised' } })
  expect((await check('other', 'next')).kind).toBe('place')
})

test.each(['this process', 'the database'])(
  'holds places in the counts of %s until they are freed or one minute old',
  async (where) => {
    let nowMs = Date.parse('2026-10-01T12:00:00Z')
    const now = () => nowMs
    const fresh = where === 'the database' ? await reusedDatabase() : undefined
    if (fresh) onTestFinished(() => fresh.drop())
    const counts = fresh ? sharedFailureCounts(fresh.database, now) : createFailureCounts(now)
    const take = async (places: number) => {
      const asked = { digest: 'd', provider: 'p', shares: [{ share: 'a', places, max: 4 }] }
      return (await counts.take(asked)).isHeld
    }
    const free = (freedPlaces: number, failures = 0) =>
      counts.record([{ share: 'a', failures, freedPlaces, endsAtMs: nowMs + 300_000 }])
    expect(await Promise.all([take(2), take(1), take(2)])).toEqual([true, true, false])
    await free(3, 2)
    expect([await take(2), await take(1)]).toEqual([true, false])
    nowMs += 60_000
    expect([await take(2), await take(1)]).toEqual([true, false])
    nowMs += 240_000
    expect([await take(4), await take(1)]).toEqual([true, false])
  },
)
