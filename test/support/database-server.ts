import { chmod, mkdtemp, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'

import type { Binaries } from '../../embedded/binaries.ts'
import { layoutOf } from '../../embedded/directory.ts'
import { startEmbedded } from '../../embedded/index.ts'
import { databaseLimits } from '../../src/platform/database/limits.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { pooledDatabase } from '../../src/platform/database/pool.ts'
import { migrationsFolder } from '../../src/platform/database/schema.ts'
import { errorCode } from '../../src/platform/error-code.ts'
import { Secret } from '../../src/platform/secret.ts'
import { binariesIn, installOldPostgres, makeOldCluster, oldMajors, oldPostgresIn } from './old-postgres.ts'
import {
  isReduced,
  makeReducedTemplate,
  reducedTemplate,
  refuseTemporary,
  startReducedProxy,
} from './reduced-profile.ts'

/** Where the tests find PostgreSQL: a role that makes databases, and the role that the service runs as. */
export interface TestServer {
  readonly adminUrl: string
  readonly userUrl: string
  /** The folder of the server's Unix socket, which costs less than TCP. Absent where the tests must connect by the URL. */
  readonly socketFolder?: string
  readonly template: string
  /** The template of an empty database. */
  readonly emptyTemplate: string
  /** What `create database` says to copy the files of the template, which is half the work of logging each of its pages. */
  readonly copyFiles: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

const template = 'muster_template'
const wantedMajor = process.env.MUSTER_TEST_POSTGRES
const log = pino({ level: 'silent' })

/**
 * One real PostgreSQL for the whole run, with the migrations in a template that every test copies. MUSTER_TEST_POSTGRES names an older
 * major version.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const whole = process.env.TEST_DATABASE_URL ? byUrl(process.env.TEST_DATABASE_URL) : await embedded()
  const server = isReduced ? await reduced(whole) : whole
  const version = await makeTemplate(server)
  // Before 15 there was no other way, and no word for it.
  const copyFiles = Number.parseInt(version, 10) < 15 ? '' : 'strategy file_copy'
  const profile = isReduced ? ' without LISTEN, advisory locks and temporary objects' : ''
  project.vitest.logger.log(`Tests on PostgreSQL ${version}${profile} and Node ${process.versions.node}.`)
  const { adminUrl, userUrl, socketFolder } = server
  const emptyTemplate = isReduced ? reducedTemplate : 'template0'
  const sockets = socketFolder === undefined ? {} : { socketFolder }
  project.provide('testServer', { adminUrl, userUrl, ...sockets, template, emptyTemplate, copyFiles })
  return server.stop
}

interface RunningServer {
  readonly adminUrl: string
  readonly userUrl: string
  readonly socketFolder?: string
  readonly stop: () => Promise<void>
}

function byUrl(url: string): RunningServer {
  return { adminUrl: url, userUrl: url, stop: async () => undefined }
}

async function reduced(server: RunningServer): Promise<RunningServer> {
  if (server.adminUrl === server.userUrl) throw new Error('MUSTER_TEST_PROFILE needs a server of the run itself.')
  await makeReducedTemplate(server.adminUrl)
  const proxy = await startReducedProxy(server.userUrl)
  return {
    adminUrl: server.adminUrl,
    userUrl: proxy.url,
    async stop() {
      proxy.stop()
      await server.stop()
    },
  }
}

/** Without fsync: what is tested here is not durability, and the data is thrown away. */
async function embedded(): Promise<RunningServer> {
  for (const folder of [tmpdir(), memoryFolder]) await removeAbandoned(folder)
  const dataDir = await mkdtemp(join((await hasRoomInMemory()) ? memoryFolder : tmpdir(), `${prefix}${process.pid}-`))
  await chmod(dataDir, 0o711)
  const binaries = await olderIn(dataDir)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    // Beside TCP, which the programs and proxies of tests use.
    unix_socket_directories: layoutOf(dataDir).socketDir,
    max_wal_size: '256MB',
    // Databases live for seconds. Looking for work in each of them costs a process.
    autovacuum: 'off',
    jit: 'off',
    // The hash of a password, for which client and server compute at each of some 3,000 connections; version 16 and later.
    ...(wantedMajor === undefined && { scram_iterations: '1' }),
  }
  const server = await startEmbedded({ dataDir, mode: 'own', log, transport: 'tcp', settings, ...binaries })
  return {
    adminUrl: withoutParameters(server.superuserUrl),
    userUrl: withoutParameters(server.url),
    socketFolder: layoutOf(dataDir).socketDir,
    async stop() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A file system in memory, in which the copy of a database takes a tenth of the time. */
const memoryFolder = '/dev/shm'
const gibibyte = 2 ** 30

/** The long tests keep large tables, and older versions bring programs, which often may not be run from there. */
async function hasRoomInMemory(): Promise<boolean> {
  if (process.env.MUSTER_TESTS === 'long' || wantedMajor !== undefined || freemem() < 4 * gibibyte) return false
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 2 * gibibyte
}

/** Installs the older major version that is wanted, if one is, and makes its cluster. */
async function olderIn(dataDir: string): Promise<{ binaries?: Binaries }> {
  if (wantedMajor === undefined) return {}
  const major = oldMajors.find((each) => each === wantedMajor)
  if (major === undefined) throw new Error(`MUSTER_TEST_POSTGRES may be: ${oldMajors.join(', ')}`)
  const [folder = ''] = await installOldPostgres(programsIn(dataDir), [major])
  const binaries = binariesIn(folder, major)
  await makeOldCluster(dataDir, binaries)
  return { binaries }
}

function programsIn(dataDir: string): string {
  return join(dataDir, 'programs')
}

const prefix = 'muster-test-'

/** A run that was killed leaves its server behind: it is joined, stopped as its last user, and removed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [pid = 'none', suffix] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : []
    if (!Number.isInteger(Number(pid)) || isAlive(Number(pid))) continue
    const dataDir = join(folder, `${prefix}${process.pid}-${suffix}`)
    if (!(await claim(join(folder, name), dataDir))) continue
    await stopAbandoned(dataDir).catch(() => undefined)
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** False if another run that starts now was faster. A server that runs in the folder goes on: it uses relative paths. */
function claim(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    (error: unknown) => (errorCode(error) === 'ENOENT' ? false : Promise.reject(error)),
  )
}

async function stopAbandoned(dataDir: string): Promise<void> {
  const version = await readFile(join(layoutOf(dataDir).cluster, 'PG_VERSION'), 'utf8')
  const major = oldMajors.find((each) => each === version.trim())
  const binaries = major && { binaries: binariesIn(oldPostgresIn(programsIn(dataDir), major), major) }
  const server = await startEmbedded({ dataDir, mode: 'join', log, ...binaries })
  await server.close()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Over TCP, by the address alone. Tests add parameters of their own. */
function withoutParameters(url: string): string {
  return url.replace(/\?.*$/, '').replace('@localhost:', '@127.0.0.1:')
}

/** Returns the version of the server. */
async function makeTemplate({ adminUrl, userUrl }: RunningServer): Promise<string> {
  const owner = decodeURIComponent(new URL(userUrl).username)
  const admin = new Client(adminUrl)
  await admin.connect()
  await admin.query(`drop database if exists ${template}`)
  const name = admin.escapeIdentifier(owner)
  await admin.query(`create database ${template} owner ${name} ${isReduced ? `template ${reducedTemplate}` : ''}`)
  if (isReduced) await admin.query(refuseTemporary(template, name))
  const { rows } = await admin.query<{ version: string }>(`select current_setting('server_version') as version`)
  await admin.end()

  const url = new URL(userUrl)
  url.pathname = `/${template}`
  const link = { url: new Secret(url.href) }
  const limits = { ...databaseLimits, connectTimeoutMs: 20_000 }
  const database = pooledDatabase({ link, limits, preparedStatements: true, log })
  await migrate(database, migrationsFolder(), log)
  await database.close()
  return rows[0]?.version ?? ''
}
