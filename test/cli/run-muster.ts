import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
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

/** The built command in a process of its own, with no settings but those given. */
export async function runMuster(args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Ended> {
  if (!existsSync(program)) throw new Error('These tests run the built command: run npm run build first.')
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    stdout += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    stderr += piece
  })
  child.stdin.on('error', () => undefined) // a command that reads nothing may be gone before all of it is written
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, stdout, stderr }
}
