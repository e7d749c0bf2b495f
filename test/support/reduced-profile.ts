import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'

/**
 * `MUSTER_TEST_PROFILE=reduced`: databases without what several products that speak the language of PostgreSQL lack: `LISTEN` and `NOTIFY`,
 * advisory locks, temporary objects. docs/scaling.md has the table. The server refuses the functions and the right to the role that the service
 * has; commands that no right is needed for are refused by a proxy. The superuser of a test has all of it.
 */
export const isReduced = wantsReduced()

function wantsReduced(): boolean {
  const profile = process.env.MUSTER_TEST_PROFILE ?? 'whole'
  if (profile !== 'whole' && profile !== 'reduced') throw new Error('MUSTER_TEST_PROFILE may be: whole, reduced')
  return profile === 'reduced'
}

/** What runs in this profile beside the tests over HTTP against the bundle: all that is about locks and migrations. */
export const reducedInProcess = [
  'test/platform/database/migrate.test.ts',
  'test/platform/database/named-locks.test.ts',
  'test/platform/database/reduced-profile.test.ts',
] as const

/** Databases that are made from it have no such functions either. */
export const reducedTemplate = 'muster_reduced'

/** Makes the template. `adminUrl` is that of the superuser. */
export async function makeReducedTemplate(adminUrl: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`create database ${reducedTemplate} template template0`))
  const url = new URL(adminUrl)
  url.pathname = `/${reducedTemplate}`
  await asAdmin(url.href, async (client) => {
    const { rows } = await client.query<{ name: string }>(functionsText)
    for (const { name } of rows) await client.query(`revoke execute on function ${name} from public`)
  })
}

const functionsText = `
select oid::regprocedure::text as name from pg_proc
where pronamespace = 'pg_catalog'::regnamespace and (proname ~ '^pg_(try_)?advisory_' or proname in ('pg_notify', 'pg_listening_channels'))`

async function asAdmin(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await work(client).finally(() => client.end())
}

/** The right to temporary objects is that of a database and not part of its template; its owner has it, too. */
export function refuseTemporary(database: string, owner: string): string {
  return `revoke temporary on database ${database} from public, ${owner}`
}

export interface ReducedProxy {
  /** The address of the same database through the proxy. */
  readonly url: string
  stop(): void
}

/** A proxy in a process of its own, which ends with this one. */
export async function startReducedProxy(directUrl: string): Promise<ReducedProxy> {
  const { hostname, port } = new URL(directUrl)
  const program = fileURLToPath(new URL('reduced-proxy.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [program, hostname, port], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdout) throw new Error('the proxy has no standard output')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const url = new URL(directUrl)
  url.port = String(line)
  return { url: url.href, stop: () => void child.kill() }
}
