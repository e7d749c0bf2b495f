import { expect, test } from 'vitest'
import { type Service, serviceForTest } from '../../support/service.ts'

const token = 'a-token-of-the-monitoring'

/** Simulates a node of a newer release. */
async function migratedByNewer(service: Service, worksWith: number | 'nothing said'): Promise<void> {
  await service.sql(`insert into muster_migration (name, run_on) values ('900_newer', now())`)
  if (worksWith !== 'nothing said') await service.sql('insert into schema_compatibility values (900, $1)', [worksWith])
}

async function lines(service: Service, part: string): Promise<string[]> {
  return (await service.logged()).split('\n').filter((line) => line.includes(part))
}

test('after a compatible migration by a newer release: ready, one warning, and both versions in the metrics', async () => {
  const service = await serviceForTest({ env: { MUSTER_METRICS_TOKEN: token } })
  const versions = async () => {
    const { text } = await service.get('/metrics', { token })
    return [...text.matchAll(/^muster_schema_(?:release_)?version (\d+)$/gm)].map(([, number]) => Number(number))
  }
  const [before = 0] = await versions()
  expect(await versions()).toEqual([before, before])
  await migratedByNewer(service, before)
  for (let count = 0; count < 3; count += 1) expect((await service.get('/readyz')).status).toBe(200)
  expect(await versions()).toEqual([900, before])
  expect(await lines(service, 'a newer release has migrated the database')).toHaveLength(1)
})

test('503 schema_unsupported after an incompatible migration by a newer release, until it is reverted', async () => {
  for (const worksWith of [900, 'nothing said'] as const) {
    const service = await serviceForTest()
    expect((await service.get('/readyz')).status).toBe(200)
    await migratedByNewer(service, worksWith)
    for (let count = 0; count < 3; count += 1)
      expect((await service.get('/readyz')).body).toMatchObject({
        status: 503,
        code: 'schema_unsupported',
        detail: expect.stringMatching(/\(900_newer\).*install the newer release on this node/),
      })
    expect((await lines(service, '900_newer')).filter((line) => line.includes('"level":50'))).toHaveLength(1)
    await service.sql(`delete from muster_migration where name = '900_newer'`)
    expect((await service.get('/readyz')).status).toBe(200)
  }
})
