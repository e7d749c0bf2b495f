import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../src/platform/package-root.ts'

/** The service as shipped, in a separate process. */
export interface Node {
  readonly url: string
  readonly pid: number
  /** Its log so far. */
  readonly lines: readonly LogLine[]
  isRunning(): boolean
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** `kill -9` */
  kill(): Promise<void>
}

export interface LogLine {
  readonly level?: number
  readonly msg?: string
  readonly address?: string
  readonly err?: { readonly stack?: string }
}

export interface NodeOptions {
  /** Default: an embedded database in the directory that the environment names. */
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string>>
  /** Path of the program; default: this checkout's. */
  readonly program?: string
  /** `ulimit -n` of the process. */
  readonly descriptorsMax?: number
}

/** The settings of every node, so that nodes on one database accept each other's tokens. */
export function environmentOf({ databaseUrl, env = {} }: NodeOptions): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    MUSTER_PORT: '0',
    MUSTER_PUBLIC_URL: 'http://muster.test',
    MUSTER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    MUSTER_ACCESS_TOKEN_SECONDS: '3600',
    MUSTER_READS_PER_MINUTE: '100000000',
    MUSTER_WRITES_PER_MINUTE: '100000000',
    MUSTER_NEW_ACCOUNTS_PER_MINUTE: '100000000',
    MUSTER_KEY_CHECKS_PER_MINUTE: '100000000',
    ...env,
  }
}

/** Resolves when the node is ready. */
export async function startNode(options: NodeOptions): Promise<Node> {
  const { descriptorsMax, program = join(packageRoot(), 'dist/bundle/main.cjs') } = options
  const limit = descriptorsMax === undefined ? '' : `ulimit -n ${descriptorsMax} && `
  const child = spawn('bash', ['-c', `${limit}exec "$0" "$1"`, process.execPath, program], {
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: LogLine[] = []
  const reader = createInterface({ input: child.stdout })
  const exited = once(child, 'exit')
  const ready = new Promise<LogLine>((resolve) => {
    reader.on('line', (line) => {
      const parsed: LogLine = JSON.parse(line)
      lines.push(parsed)
      if (parsed.msg === 'ready') resolve(parsed)
    })
  })
  const ended = exited.then(([code]) => Promise.reject(new Error(`the service ended with ${code} before it was ready`)))
  const { address = '' } = await Promise.race([ready, ended])
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    url: address,
    pid: child.pid ?? 0,
    lines,
    isRunning,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
