import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/recipe.ts'

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a test run with all the processes that it started',
  async (signal) => {
    const { MUSTER_TESTS: _, MUSTER_TEST_COUNTS: __, ...env } = process.env
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/service/shutdown.test.ts']
    const run = spawn(process.execPath, vitest, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [run.stdout, run.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text
      })
    const exited = once(run, 'exit')
    onTestFinished(() => void run.kill('SIGKILL'))

    const started = () => descendantsOf(run.pid)
    const isUnderWay = () => {
      if (run.exitCode !== null) throw new Error(`the run has ended: ${printed}`)
      const commands = started().map(({ command }) => command)
      return ['main.cjs', 'postgres'].every((name) => commands.some((command) => command.includes(name)))
    }
    await expect.poll(isUnderWay, { interval: 100, timeout: 150_000 }).toBe(true)
    const pids = started().map(({ pid }) => pid)
    expect(pids.length).toBeGreaterThan(3)
    run.kill(signal)
    await exited
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  },
)

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

function descendantsOf(ancestor: number | undefined): readonly Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => {
    const [pid, parent, ...command] = row.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') }
  })
  const found: Process[] = []
  const parents = [ancestor]
  for (const parent of parents)
    for (const each of processes)
      if (each.parent === parent) {
        found.push(each)
        parents.push(each.pid)
      }
  return found
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
