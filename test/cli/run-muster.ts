import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** All of standard input. */
  readonly input?: string
}

export const program = fileURLToPath(new URL('../../dist/bundle/muster.cjs', import.meta.url))

/**
 * Runs the command with no settings but those given. Where the tests run against the bundle, this is a process of the bundle;
 * otherwise one process runs the commands of all files of a thread, one after the other.
 */
export async function runMuster(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  if (process.env.MUSTER_TEST_PROGRAM === 'bundle') return spawnMuster(args, options)
  return hosted(args, options)
}

/** Runs the built command in a process of its own: for one that serves, that signals end, or whose own end is what a test is about. */
export async function spawnMuster(args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Ended> {
  const child = start([program, ...args], environment(env))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (piece) => {
    stdout += piece
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, stdout, stderr }
}

let host: ChildProcessWithoutNullStreams | undefined
let last: Promise<unknown> = Promise.resolve()

function hosted(args: readonly string[], { env = {}, input = '' }: RunOptions): Promise<Ended> {
  const ended = last.then(async () => {
    host ??= start([fileURLToPath(new URL('command-host.mjs', import.meta.url))], environment({}))
    const mark = randomUUID()
    const outputs = Promise.all([upTo(mark, host.stdout, host), upTo(mark, host.stderr, host)])
    host.stdin.write(`${JSON.stringify({ args, env: environment(env), input, mark })}\n`)
    const [stdout, stderr] = await outputs
    return { code: stdout.code, stdout: stdout.text, stderr: stderr.text }
  })
  last = ended.catch(() => {
    host?.kill()
    host = undefined
  })
  return ended
}

/** What the host writes until the mark, and the exit code behind it. */
function upTo(mark: string, output: Readable, from: ChildProcess): Promise<{ text: string; code: number }> {
  return new Promise((done, failed) => {
    let written = ''
    const onData = (piece: string) => {
      written += piece
      const [text = '', code] = written.split(mark)
      if (code?.endsWith('\n') !== true) return
      forget()
      done({ text, code: Number(code) })
    }
    const onClose = () => {
      forget()
      failed(new Error(`The process of the commands ended; it had written: ${written}`))
    }
    const forget = () => {
      output.off('data', onData)
      from.off('close', onClose)
    }
    output.on('data', onData)
    from.once('close', onClose)
  })
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { env })
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8')
  child.stdin.on('error', () => undefined) // a command that reads nothing may be gone before all of it is written
  return child
}

function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...env }
}
