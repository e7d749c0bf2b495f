import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileReach, Line, Plan, Trial } from './plan.ts'

/** Processes at a time. Each has a database server. */
const processes = 2

/** Mutants for one process: what they leave behind, such as databases of services that did not start, ends with it. */
const trialsMax = 250

/** After this time without a line a process is killed: a mutant keeps it busy. */
const silenceMaxMs = 150_000

export type Ended = Extract<Line, { kind: 'ended' }>

/** Runs test files without faults. Throws where one fails. */
export async function reachOfTests(folder: string, tests: readonly string[]): Promise<readonly FileReach[]> {
  const reaches: FileReach[] = []
  await Promise.all(
    shares(tests).map(async (share) => {
      const { printed } = await runPlan(
        folder,
        (out) => ({ kind: 'without faults', out, tests: share.map((test) => join(folder, test)) }),
        (line) => {
          if (line.kind === 'reach') reaches.push({ ...line.reach, file: line.reach.file.slice(folder.length + 1) })
        },
      )
      const missing = share.filter((test) => !reaches.some(({ file }) => file === test))
      if (missing.length > 0) throw new Error(`These tests did not end: ${missing.join(', ')}\n${printed}`)
    }),
  )
  const failed = reaches.filter(({ failure }) => failure !== undefined)
  if (failed.length > 0)
    throw new Error(
      `Without a fault these fail:\n${failed.map(({ file, failure }) => `${file}: ${failure}`).join('\n')}`,
    )
  return reaches
}

/** Tries each mutant until a test notices it. */
export async function tryMutants(
  folder: string,
  trials: readonly Trial[],
  onEnded: (ended: Ended) => void,
): Promise<void> {
  await Promise.all(shares(trials).map((share) => tryShare(folder, share, onEnded)))
}

/** A process that a mutant kept busy, or ended, is followed by another one, which goes on with the rest. */
async function tryShare(folder: string, share: readonly Trial[], onEnded: (ended: Ended) => void): Promise<void> {
  let left = share
  while (left.length > 0) {
    const next = left.slice(0, trialsMax)
    const ended = new Set<number>()
    let current: number | undefined
    const trials = next.map((trial) => ({
      ...trial,
      runs: trial.runs.map((run) => ({ ...run, file: join(folder, run.file) })),
    }))
    const { wasSilent, printed } = await runPlan(
      folder,
      (out) => ({ kind: 'faults', out, trials }),
      (line) => {
        if (line.kind === 'started') current = line.id
        if (line.kind !== 'ended') return
        ended.add(line.id)
        onEnded({ ...line, ...(line.file && { file: line.file.slice(folder.length + 1) }) })
      },
    )
    if (current !== undefined && !ended.has(current)) {
      ended.add(current)
      onEnded({
        kind: 'ended',
        id: current,
        status: 'timeout',
        by: wasSilent ? 'it never ended' : 'it ended the process',
        ms: silenceMaxMs,
      })
    }
    if (ended.size === 0) throw new Error(`The tests did not begin.\n${printed}`)
    left = left.filter(({ id }) => !ended.has(id))
  }
}

function shares<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: processes }, (_, n) => all.filter((_item, index) => index % processes === n)).filter(
    (share) => share.length > 0,
  )
}

async function runPlan(
  folder: string,
  planFor: (out: string) => Plan,
  onLine: (line: Line) => void,
): Promise<{ readonly wasSilent: boolean; readonly printed: string }> {
  const own = mkdtempSync(join(tmpdir(), 'muster-mutation-'))
  const [planFile, out] = [join(own, 'plan.json'), join(own, 'lines')]
  writeFileSync(planFile, JSON.stringify(planFor(out)))
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    CI: 'true',
    NO_COLOR: '1',
    FAST_CHECK_SEED: '1',
    MUSTER_MUTATION_PLAN: planFile,
  }
  const args = ['--import', './test/support/typescript.mjs', 'scripts/mutation/process.ts']
  const child = spawn(process.execPath, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }
  const clear = () => {
    stop()
    rmSync(own, { recursive: true, force: true })
  }
  process.once('exit', clear)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-4_000)
    })

  let read = 0
  let lastLine = Date.now()
  let wasSilent = false
  const look = () => {
    const lines = existsSync(out) ? readFileSync(out, 'utf8').split('\n').slice(0, -1) : []
    for (const line of lines.slice(read)) onLine(JSON.parse(line))
    if (lines.length > read) lastLine = Date.now()
    read = lines.length
    if (Date.now() - lastLine < silenceMaxMs) return
    wasSilent = true
    stop()
  }
  const timer = setInterval(look, 500)
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(timer)
  look()
  process.removeListener('exit', clear)
  clear()
  return { wasSilent, printed }
}
