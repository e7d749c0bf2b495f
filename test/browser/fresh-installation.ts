import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bundle = (name: string) => fileURLToPath(new URL(`../../dist/bundle/${name}`, import.meta.url))

/** The built service as `npm start` runs it, in a new data directory with a database of its own. */
export interface FreshInstallation {
  readonly url: string
  readonly dataDir: string
  /** Runs a command of `muster` beside it. Throws with what it said where it fails. */
  muster(args: readonly string[], input?: string): Promise<void>
  stop(): Promise<void>
}

export async function startFreshInstallation(settings: Readonly<Record<string, string>>): Promise<FreshInstallation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-walk-'))
  const env = { PATH: process.env.PATH, MUSTER_DATA_DIR: dataDir, MUSTER_PORT: '0', ...settings }
  const service = spawn(process.execPath, [bundle('main.cjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(service, 'exit')
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: service.stdout }).on('line', (line) => {
      const { msg, address } = line.startsWith('{') ? JSON.parse(line) : {}
      if (msg === 'ready') resolve(String(address))
    })
  })
  const ended = exited.then(() => Promise.reject(new Error('The service ended before it was ready.')))
  const url = await Promise.race([ready, ended])
  // From now on it may end.
  ended.catch(() => {})
  return {
    url,
    dataDir,
    async muster(args, input = '') {
      const program = spawn(process.execPath, [bundle('muster.cjs'), ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [program.stdout, program.stderr]) stream.on('data', (part) => (said += String(part)))
      program.stdin.end(input)
      const [code] = await once(program, 'close')
      if (code !== 0) throw new Error(`muster ${args.join(' ')} ended with ${code}: ${said}`)
    },
    async stop() {
      service.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true })
    },
  }
}
