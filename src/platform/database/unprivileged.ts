import { stat } from 'node:fs/promises'
import { StartError } from '../start-error.ts'
import { type Programs, runProgram, type SystemUser } from './programs.ts'

const timeoutMs = 20_000

/** System users that PostgreSQL may run as when Muster is root, in this order. Where none exists, the last one is created. */
export const unprivilegedNames: readonly string[] = ['postgres', 'muster']

export interface ProgramsNeeds {
  readonly initdb: string
  readonly dataDir: string
  /** If the cluster exists, PostgreSQL runs as its owner. */
  readonly cluster: string
  readonly names: readonly string[]
}

/**
 * How to start PostgreSQL on this machine. PostgreSQL refuses to run as root, so root starts it as an unprivileged user, with a capability
 * to pass closed directories (a checkout under /root) where necessary. Throws `StartError` where no way works.
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
    `${cluster} belongs to root, and PostgreSQL does not run as root: give it back to its user with "chown -R".`,
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
    // Another process may have created it at the same time.
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
 * PostgreSQL checks its user id only, so one capability lets it pass closed directories without root. Without the secure bit the kernel
 * ignores that capability in access(2), with which PostgreSQL looks for its own programs.
 */
function setprivWith({ uid, gid }: SystemUser, capability: string): readonly string[] {
  const capabilities = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  const securebits = '--securebits=+no_setuid_fixup'
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities, securebits, '--']
}

/** Tries instead of computing: permissions, access lists and container limits all matter. */
async function canWork(programs: Programs, { initdb, dataDir, cluster }: ProgramsNeeds): Promise<boolean> {
  // `--show` prints settings only, but finds and runs `postgres` for them.
  const canRun = await runProgram(programs, initdb, ['--show', '-D', cluster], timeoutMs)
  if (canRun.code !== 0) return false
  const canEnter = await runProgram(programs, 'sh', ['-c', 'cd "$0"', dataDir], timeoutMs)
  return canEnter.code === 0
}
