import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { killCycle, prepareDurability } from '../../support/durability.ts'

// A few cycles; scripts/faults.ts runs more.
test('after kill -9 of server, service or both, every confirmed change is there, and no change is there partially', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-durability-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Gives PostgreSQL's user access when the tests run as root.
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'data')
  await prepareDurability(dataDir)
  const acknowledged = new Set<string>()
  for (const victim of ['both', 'server', 'service'] as const) {
    const { committed, ...faults } = await killCycle(dataDir, victim, acknowledged)
    expect(committed).toBeGreaterThan(0)
    expect(faults).toEqual({ lost: 0, halves: 0 })
  }
})
