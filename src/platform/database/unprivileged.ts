import { stat } from 'node:fs/promises'
import { StartError } from '../start-error.ts'
import { type Programs, runProgram, type SystemUser } from './programs.ts'

const timeoutMs = 20_000

/** Users that PostgreSQL may run as when Muster is root, in this order; the last is created where none exists. */
export const unprivilegedNames: readonly string[] = ['postgres', 'muster']

export interface ProgramsNeeds {
  readonly initdb: string
  readonly dataDir: string
  /** The cluster; where it exists, its owner is the user. */
  readonly cluster: string
  readonly names: readonly string[]
}

/**
 * How to start PostgreSQL here. It refuses to run as root, so root starts it as an unprivileged user, and lets that user read
 * through directories closed to it (a checkout under /root) where it must. Throws `StartError` where that cannot be done.
 */
export async function findPrograms(needs: ProgramsNeeds): Promise<Programs> {
  if (process.getuid?.() !== 0) return {}
  const user = (await ownerOf(needs.cluster)) ?? (await existingUser(needs.names)) ?? (await createdUser(needs.names))
  for (const prefix of [undefined, setprivWith(user, 'dac_read_search'), setprivWith(user, 'dac_override')]) {
    const programs: Programs = prefix ? { user, prefix } : { user }
    if (await canWork(programs, needs)) return programs
  }
  throw new StartError(
    `PostgreSQL does not run as root, and user ${user.uid} can reach neither its programs nor ${needs.dataDir}: run Muster as an ` +
      'ordinary user, move both out of closed directories, or set DATABASE_URL.',
  )
}

async function ownerOf(cluster: string): Promise<SystemUser | undefined> {
  const found = await stat(cluster).catch(() => undefined)
  if (found === undefined) return undefined
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid }
  throw new StartError(
    `${cluster} belongs to root, which PostgreSQL refuses: give it back to its user with "chown -R".`,
  )
}

async function existingUser(names: readonly string[]): Promise<SystemUser | undefined> {
  for (const name of names) {
    const user = await userNamed(name)
    if (user) return user
  }
  return undefined
}

/** `useradd` is Debian's and Red Hat's, `adduser -S` is BusyBox's. */
async function createdUser(names: readonly string[]): Promise<SystemUser> {
  const name = names.at(-1) ?? 'muster'
  const attempts = [
    [
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/usr/sbin/nologin',
      name,
    ],
    ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', name],
  ]
  for (const [program = '', ...args] of attempts) {
    await runProgram({}, program, args, timeoutMs)
    // Two processes may create it at once: what counts is that it exists.
    const user = await userNamed(name)
    if (user) return user
  }
  throw new StartError(
    `PostgreSQL does not run as root, and the system user "${name}" could not be created: create it, run Muster as an ordinary ` +
      'user, or set DATABASE_URL.',
  )
}

async function userNamed(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = [await idOf('-u', name), await idOf('-g', name)]
  return uid && gid ? { uid, gid } : undefined
}

async function idOf(option: '-u' | '-g', name: string): Promise<number | undefined> {
  const { code, output } = await runProgram({}, 'id', [option, name], timeoutMs)
  return code === 0 && /^\d+$/.test(output) ? Number(output) : undefined
}

/**
 * PostgreSQL looks at its user id only; one capability lets it pass closed directories without being root. Without the secure bit
 * the kernel ignores that capability in access(2), by which PostgreSQL looks for its own programs.
 */
function setprivWith({ uid, gid }: SystemUser, capability: string): readonly string[] {
  const capabilities = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  const securebits = '--securebits=+no_setuid_fixup'
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities, securebits, '--']
}

/** Tried, not computed: permissions, access lists and container limits all decide. */
async function canWork(programs: Programs, { initdb, dataDir, cluster }: ProgramsNeeds): Promise<boolean> {
  // Only shows its settings, but finds and asks `postgres` for them.
  const started = await runProgram(programs, initdb, ['--show', '-D', cluster], timeoutMs)
  if (started.code !== 0) return false
  const entered = await runProgram(programs, 'sh', ['-c', 'cd "$0"', dataDir], timeoutMs)
  return entered.code === 0
}
