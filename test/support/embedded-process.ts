import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

import type { EmbeddedMode } from '../../src/database/embedded.ts'

const loader = new URL('./typescript.mjs', import.meta.url).href
const program = fileURLToPath(new URL('./embedded-program.ts', import.meta.url))

export interface EmbeddedProcess {
  readonly pid: number
  readonly child: ChildProcess
  /** What it has said so far, a line each. */
  readonly lines: string[]
  /** The first line that begins with one of these words. */
  heard(...words: string[]): Promise<string>
  /** Tells it to give the server up, and waits for its end. */
  stop(): Promise<void>
  /** `kill -9`, and everything it had said before. */
  kill(): Promise<void>
}

/** Another process of Muster on the embedded database of `dataDir`; with `write` it inserts rows and says which were committed. */
export function startProcess(dataDir: string, mode: EmbeddedMode, write = false): EmbeddedProcess {
  const args = ['--import', loader, program, dataDir, mode, ...(write ? ['write'] : [])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const closed = Promise.all([once(reader, 'close'), once(child, 'exit')])
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  onTestFinished(kill)
  return {
    pid: child.pid ?? 0,
    child,
    lines,
    kill,
    async heard(...words) {
      for (;;) {
        const line = lines.find((text) => words.includes(text.split(' ')[0] ?? ''))
        if (line !== undefined) return line
        await Promise.race([once(reader, 'line'), closed.then(() => Promise.reject(new Error(`it ended: ${lines}`)))])
      }
    },
    async stop() {
      child.stdin?.end()
      await closed
    },
  }
}
