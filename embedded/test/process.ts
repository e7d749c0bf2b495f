import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { livePostmaster } from '../postmaster.ts'
import { isAlive } from '../programs.ts'

/** A program that uses the server until its standard input ends. */
export interface EmbeddedProcess {
  readonly pid: number
  readonly child: ChildProcess
  /** Its output so far, line by line. */
  readonly lines: readonly string[]
  /** The first line that begins with one of these words, starting at line `from`. */
  heard(words: readonly string[], from?: number): Promise<string>
  /** Ends its standard input and waits for it to exit. */
  stop(): Promise<void>
  /** `kill -9`; resolves when all earlier output is in `lines`. */
  kill(): Promise<void>
}

/** Runs this program with these arguments. */
export function startProcess(program: URL, args: readonly string[]): EmbeddedProcess {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const closed = Promise.all([once(reader, 'close'), once(child, 'exit')])
  return {
    pid: child.pid ?? 0,
    child,
    lines,
    async heard(words, from = 0) {
      for (;;) {
        const line = lines.slice(from).find((text) => words.includes(text.split(' ')[0] ?? ''))
        if (line !== undefined) return line
        await Promise.race([
          once(reader, 'line'),
          closed.then(() => Promise.reject(new Error(`it ended: ${lines.slice(-3)}`))),
        ])
      }
    },
    async stop() {
      child.stdin?.end()
      await closed
    },
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
  }
}

/** `kill -9` of the postmaster and all its processes at once. */
export async function killServer(dataDir: string): Promise<void> {
  const postmaster = (await livePostmaster(join(dataDir, 'postgres')))?.pid
  if (postmaster === undefined) return
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(postmaster)])
  for (const pid of [postmaster, ...stdout.trim().split(/\s+/).map(Number)]) {
    if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL')
  }
}
