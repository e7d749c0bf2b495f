import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { packageRoot } from '../../src/platform/package-root.ts'

type Environment = Readonly<Record<string, string>>

export interface Ran {
  readonly seconds: number
  /** The peak memory of the process, without PostgreSQL. */
  readonly peakMib: number
}

/** Runs the built command, which must succeed. */
export async function muster(args: readonly string[], env: Environment, input = ''): Promise<Ran> {
  const startedAt = performance.now()
  const child = start(args, env)
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (piece) => {
    said += piece
  })
  child.stdin?.end(input)
  const ended = once(child, 'close')
  let peakMib = 0
  while (isRunning(child)) {
    peakMib = Math.max(peakMib, peakOf(child))
    await Promise.race([ended, setTimeout(100)])
  }
  await ended
  if (child.exitCode !== 0) throw new Error(`muster ${args.join(' ')} ended with ${child.exitCode}: ${said}`)
  return { seconds: (performance.now() - startedAt) / 1_000, peakMib }
}

/** Kills the command with `kill -9` as soon as the condition holds. */
export async function killMuster(
  args: readonly string[],
  env: Environment,
  isInTheMiddle: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = start(args, env)
  child.stderr?.resume()
  const ended = once(child, 'close')
  while (isRunning(child) && !(await isInTheMiddle())) await setTimeout(2)
  child.kill('SIGKILL')
  await ended
  if (child.signalCode !== 'SIGKILL') throw new Error(`muster ${args.join(' ')} ended before it was killed`)
}

function start(args: readonly string[], env: Environment): ChildProcess {
  return spawn(process.execPath, [join(packageRoot(), 'dist/bundle/muster.cjs'), ...args], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** 0 if it has exited, or if the system does not report it. */
function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
