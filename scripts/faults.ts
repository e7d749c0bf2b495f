/**
 * Causes faults, one after the other, for the shipped program on a separate PostgreSQL, and compares the results with
 * the promises. docs/scaling.md says how to read the output.
 * Run: `node scripts/faults.ts [section …] [--from <folder>] [--accounts <number>]`.
 * Exits with 1 for a broken promise.
 */
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  databaseCrash,
  databaseFrozen,
  databaseFull,
  databaseReadOnly,
  databaseRestart,
} from './faults/database-outages.ts'
import { embeddedKilled } from './faults/embedded-killed.ts'
import { etcdLost } from './faults/etcd-lost.ts'
import { hostileBodies } from './faults/hostile-bodies.ts'
import { patroni, patroniHung } from './faults/patroni.ts'
import { otherRollingRestarts, rollingRestart } from './faults/rolling-restart.ts'
import { serviceKilled } from './faults/service-killed.ts'
import { signInFlood, signInGuessing, signInsTogether } from './faults/sign-in-flood.ts'
import { descriptors, emfile, silentSockets } from './faults/sockets.ts'
import { type Finding, openStage, type Section } from './faults/stage.ts'
import { twoVersions } from './faults/two-versions.ts'
import { upgrade } from './faults/upgrade.ts'
import { waits } from './faults/wait.ts'

const sections: readonly Section[] = [
  silentSockets,
  descriptors,
  emfile,
  rollingRestart,
  twoVersions,
  databaseRestart,
  databaseCrash,
  databaseReadOnly,
  databaseFull,
  databaseFrozen,
  signInsTogether,
  signInGuessing,
  signInFlood,
  hostileBodies,
  serviceKilled,
  embeddedKilled,
  patroni,
  etcdLost,
]

/** Run only by name: they take long, or do not keep the promise every time. */
const byName: readonly Section[] = [...otherRollingRestarts, upgrade, patroniHung]

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, accounts: { type: 'string', default: '1000' } },
})
const options = { from: values.from, accounts: Number(values.accounts) }
const all = [...sections, ...byName]
const unknown = wanted.filter((name) => !all.some((section) => section.name === name))
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(', ')}. Choose: ${all.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const findings: Finding[] = []
for (const section of wanted.length === 0 ? sections : all.filter(({ name }) => wanted.includes(name))) {
  const startedAt = performance.now()
  const found = await runBounded(section)
  findings.push(...found)
  console.log(
    `${section.name}: ${Math.round((performance.now() - startedAt) / 1_000)} s, ${found.map(wordOf).join(', ')}`,
  )
}
console.log()
// The broken promises last, so that readers see them first.
const isBroken = ({ isKept }: Finding) => isKept === false
for (const finding of findings.toSorted((one, other) => Number(isBroken(one)) - Number(isBroken(other)))) {
  const { done, promised, seen } = finding
  console.log(`${wordOf(finding).padEnd(7)} ${done}\n        promised: ${promised}\n        seen:     ${seen}`)
}
const broken = findings.filter(isBroken).length
console.log(`\n${findings.length} faults, ${broken} promises broken`)
// What an aborted section left waiting must not keep the process alive.
process.exit(broken === 0 ? 0 : 1)

/** A section that fails or times out has broken its promise. */
async function runBounded({ name, secondsMax, run }: Section): Promise<readonly Finding[]> {
  const stage = await openStage()
  const late = new AbortController()
  try {
    const limit = setTimeout(secondsMax * 1_000, undefined, { signal: late.signal }).then(() => {
      throw new Error(`not finished within ${secondsMax} s${waits.size > 0 ? `, waits: ${[...waits].join('; ')}` : ''}`)
    })
    return await Promise.race([run(stage, options), limit])
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error)
    for (const lines of stage.nodeLogs()) console.log(lines.map((line) => JSON.stringify(line)).join('\n'), '\n')
    return [{ done: name, promised: 'it can be run', seen, isKept: false }]
  } finally {
    late.abort()
    await stage.close()
  }
}

function wordOf({ isKept }: Finding): string {
  return isKept === undefined ? 'skipped' : isKept ? 'kept' : 'BROKEN'
}
