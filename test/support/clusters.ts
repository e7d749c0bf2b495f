import { randomBytes } from 'node:crypto'
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { findBinaries } from '../../embedded/binaries.ts'
import { livePostmaster } from '../../embedded/postmaster.ts'
import { findPrograms, runProgram } from '../../embedded/programs.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL server whose files a test copies, and which it stops and promotes. */
export interface ClusterServer {
  readonly port: number
  /** Of the database `postgres`, as the superuser. */
  readonly url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** As `kill -9` of every process, without the recovery that follows. */
  stopAtOnce(): Promise<void>
  /** Of a standby. It begins a new timeline. */
  promote(): Promise<void>
  /** Of the postmaster. */
  pid(): Promise<number>
  sql<Row extends object>(text: string): Promise<Row[]>
}

export interface Clusters {
  /** An empty cluster that is not started. */
  make(name: string): Promise<ClusterServer>
  /** A copy of the files of one that is stopped, which starts as a standby, or as a primary of its own. */
  copy(from: string, to: string, as: 'standby' | 'primary'): Promise<ClusterServer>
  /** The standby receives what that server writes. */
  follow(standby: string, primary: ClusterServer): Promise<void>
}

/** Servers in a folder of their own, without fsync, until the end of the test. */
export async function openClusters(): Promise<Clusters> {
  const root = await mkdtemp(join(tmpdir(), 'muster-clusters-'))
  await chmod(root, 0o711)
  const { initdb, pgCtl } = findBinaries()
  const folderOf = (name: string) => join(root, name)
  const programs = await findPrograms({ initdb, dataDir: root, cluster: folderOf('one') })
  if (programs.user) await chown(root, programs.user.uid, programs.user.gid)
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(root, 'password')
  await writeFile(passwordFile, password)
  const servers: ClusterServer[] = []
  onTestFinished(async () => {
    // One that the test has stopped cannot be stopped again.
    for (const server of servers) await server.stopAtOnce().catch(() => undefined)
    await rm(root, { recursive: true, force: true })
  })

  async function run(program: string, args: readonly string[]): Promise<void> {
    const { code, output } = await runProgram(programs, program, args, 60_000)
    if (code !== 0) throw new Error(output)
  }
  async function serverIn(folder: string): Promise<ClusterServer> {
    const port = await freePort()
    const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
    const stop = (mode: string) => run(pgCtl, ['stop', '-w', '-D', folder, '-m', mode])
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    const server: ClusterServer = {
      port,
      url,
      start: () => run(pgCtl, ['start', '-w', '-D', folder, '-l', `${folder}.log`, '-o', options]),
      stop: () => stop('fast'),
      stopAtOnce: () => stop('immediate'),
      promote: () => run(pgCtl, ['promote', '-w', '-D', folder]),
      pid: async () => (await livePostmaster(folder))?.pid ?? 0,
      async sql(text) {
        const client = new Client({ connectionString: url })
        await client.connect()
        return (await client.query(text).finally(() => client.end())).rows
      },
    }
    servers.push(server)
    return server
  }

  return {
    async make(name) {
      const access = [`--pwfile=${passwordFile}`, '-A', 'scram-sha-256']
      await run(initdb, ['-D', folderOf(name), '-U', 'postgres', ...access, '-E', 'UTF8'])
      return serverIn(folderOf(name))
    },
    async copy(from, to, as) {
      await run('cp', ['-r', folderOf(from), folderOf(to)])
      if (as === 'standby') await run('touch', [join(folderOf(to), 'standby.signal')])
      return serverIn(folderOf(to))
    },
    async follow(standby, { port }) {
      const way = `host=127.0.0.1 port=${port} user=postgres password=${password}`
      await appendFile(join(folderOf(standby), 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
    },
  }
}
