import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findBinaries } from '../../src/platform/database/binaries.ts'
import { runProgram } from '../../src/platform/database/programs.ts'
import { findPrograms, unprivilegedNames } from '../../src/platform/database/unprivileged.ts'
import { freePort } from './free-port.ts'

/** One of two servers of the same system. */
export interface FailoverServer {
  readonly port: number
  start(): Promise<void>
  stop(): Promise<void>
  /** Of a standby. It begins a new timeline. */
  promote(): Promise<void>
}

export interface FailoverPair {
  readonly primary: FailoverServer
  readonly standby: FailoverServer
  /** Both hosts in one address, the primary first. */
  readonly url: string
}

/** A primary and a standby with the same content, which receives nothing from it. Both run until the end of the test. */
export async function failoverPair(): Promise<FailoverPair> {
  const root = await mkdtemp(join(tmpdir(), 'muster-failover-'))
  await chmod(root, 0o711)
  const { initdb, pgCtl } = findBinaries()
  const folders = [join(root, 'one'), join(root, 'two')] as const
  const programs = await findPrograms({ initdb, dataDir: root, cluster: folders[0], names: unprivilegedNames })
  if (programs.user) await chown(root, programs.user.uid, programs.user.gid)
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(root, 'password')
  await writeFile(passwordFile, password)

  async function run(program: string, args: readonly string[]): Promise<void> {
    const { code, output } = await runProgram(programs, program, args, 60_000)
    if (code !== 0) throw new Error(output)
  }
  async function serverIn(folder: string): Promise<FailoverServer> {
    const port = await freePort()
    const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
    return {
      port,
      start: () => run(pgCtl, ['start', '-w', '-D', folder, '-l', `${folder}.log`, '-o', options]),
      stop: () => run(pgCtl, ['stop', '-w', '-D', folder, '-m', 'fast']),
      promote: () => run(pgCtl, ['promote', '-w', '-D', folder]),
    }
  }

  const [primary, standby] = [await serverIn(folders[0]), await serverIn(folders[1])]
  onTestFinished(async () => {
    // One that the test has stopped cannot be stopped again.
    for (const server of [primary, standby]) await server.stop().catch(() => undefined)
    await rm(root, { recursive: true, force: true })
  })
  await run(initdb, [
    '-D',
    folders[0],
    '-U',
    'postgres',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
  ])
  await run('cp', ['-r', folders[0], folders[1]])
  await run('touch', [join(folders[1], 'standby.signal')])
  await primary.start()
  await standby.start()
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',')
  return { primary, standby, url: `postgres://postgres:${password}@${hosts}/postgres?target_session_attrs=read-write` }
}
