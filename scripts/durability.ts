/**
 * Kills service, server or both with `kill -9` while rows are written, again and again, and counts what was lost.
 * Run: `node --import ./test/support/typescript.mjs scripts/durability.ts 20`. Ends with 1 when anything was lost.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { killCycle, prepareDurability, type Victim } from '../test/support/durability.ts'

const cycles = Number(process.argv[2] ?? 20)
const victims: readonly Victim[] = ['both', 'server', 'service']

const folder = await mkdtemp(join(tmpdir(), 'muster-durability-'))
await chmod(folder, 0o711)
const dataDir = join(folder, 'data')
await prepareDurability(dataDir)

const acknowledged = new Set<string>()
let faults = 0
for (let cycle = 0; cycle < cycles; cycle += 1) {
  const victim = victims[cycle % victims.length] ?? 'both'
  const { committed, lost, halves } = await killCycle(dataDir, victim, acknowledged)
  faults += lost + halves
  console.log(`cycle ${cycle + 1}: killed ${victim}, ${committed} committed, ${lost} lost, ${halves} by halves`)
}
console.log(`${cycles} cycles, ${acknowledged.size} transactions acknowledged, ${faults} lost or by halves`)
await rm(folder, { recursive: true })
process.exitCode = faults === 0 ? 0 : 1
