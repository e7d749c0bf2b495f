import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { EmbeddedError, errorCode } from './error.ts'

/** How to start PostgreSQL's programs: directly, or as another user. */
export interface Programs {
  /** The owner of the files that PostgreSQL writes; absent if it is the user of this process. */
  readonly user?: SystemUser
  /** The command that precedes the program, for `setpriv`. */
  readonly prefix?: readonly string[]
}

interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** System users that PostgreSQL may run as if Muster is root, in this order. If none exists, the last one is created. */
const unprivilegedNames: readonly string[] = ['postgres', 'muster']

interface ProgramsNeeds {
  readonly initdb: string
  readonly dataDir: string
  /** If the cluster exists, PostgreSQL runs as its owner. */
  readonly cluster: string
}

const probeTimeoutMs = 20_000

/**
 * How to start PostgreSQL on this machine. PostgreSQL refuses to run as root, so root starts it as an unprivileged user, if necessary with
 * a capability to pass closed directories (a checkout under /root). Throws `EmbeddedError` if nothing works.
 */
export async function findPrograms(needs: ProgramsNeeds): Promise<Programs> {
  if (process.getuid?.() !== 0) return {}
  const user = (await ownerOf(needs.cluster)) ?? (await existingUser()) ?? (await createdUser())
  for (const prefix of [undefined, setprivWith(user, 'dac_read_search'), setprivWith(user, 'dac_override')]) {
    const programs: Programs = prefix ? { user, prefix } : { user }
    if (await canWork(programs, needs)) return programs
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and user ${user.uid} can reach neither its programs nor ${needs.dataDir}: run Muster as an ` +
      'ordinary user, move both out of closed directories, or set DATABASE_URL.',
  )
}

async function ownerOf(cluster: string): Promise<SystemUser | undefined> {
  const found = await stat(cluster).catch(() => undefined)
  if (found === undefined) return undefined
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid }
  throw new EmbeddedError(
    `${cluster} belongs to root, and PostgreSQL does not run as root: give it back to its user with "chown -R".`,
  )
}

async function existingUser(): Promise<SystemUser | undefined> {
  for (const name of unprivilegedNames) {
    const user = await userNamed(name)
    if (user) return user
  }
  return undefined
}

/** `useradd` is for Debian and Red Hat, `adduser -S` for BusyBox. */
async function createdUser(): Promise<SystemUser> {
  const name = unprivilegedNames.at(-1) ?? 'muster'
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
    await runProgram({}, program, args, probeTimeoutMs)
    // Another process may have created it at the same time.
    const user = await userNamed(name)
    if (user) return user
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and the system user "${name}" could not be created: create it, run Muster as an ordinary ` +
      'user, or set DATABASE_URL.',
  )
}

async function userNamed(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = [await idOf('-u', name), await idOf('-g', name)]
  return uid && gid ? { uid, gid } : undefined
}

async function idOf(option: '-u' | '-g', name: string): Promise<number | undefined> {
  const { code, output } = await runProgram({}, 'id', [option, name], probeTimeoutMs)
  return code === 0 && /^\d+$/.test(output) ? Number(output) : undefined
}

/**
 * PostgreSQL checks only its user id, so one capability lets it pass closed directories without root. Without the secure bit the kernel
 * ignores that capability in access(2), which PostgreSQL uses to find its own programs.
 */
function setprivWith({ uid, gid }: SystemUser, capability: string): readonly string[] {
  const capabilities = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  const securebits = '--securebits=+no_setuid_fixup'
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capabilities, securebits, '--']
}

/** Tries it out, because permissions, access lists and container limits all matter. */
async function canWork(programs: Programs, { initdb, dataDir, cluster }: ProgramsNeeds): Promise<boolean> {
  // `--show` only prints settings, but must find and run `postgres` for that.
  const canRun = await runProgram(programs, initdb, ['--show', '-D', cluster], probeTimeoutMs)
  if (canRun.code !== 0) return false
  const canEnter = await runProgram(programs, 'sh', ['-c', 'cd "$0"', dataDir], probeTimeoutMs)
  return canEnter.code === 0
}

/** `code` is undefined if the program could not be started, was killed, or exceeded `timeoutMs`. */
interface ProgramResult {
  readonly code: number | undefined
  readonly output: string
}

export function startProgram(
  programs: Programs,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const { user, prefix } = programs
  const [file = program, ...rest] = [...(prefix ?? []), program, ...args]
  return spawn(file, rest, {
    // The program's user may be unable to enter our working directory, and the program needs none of our secrets.
    cwd: '/',
    env: plainEnvironment(),
    windowsHide: true,
    // With a prefix, setpriv changes the user.
    ...(user && !prefix && { uid: user.uid, gid: user.gid }),
    ...options,
  })
}

export function runProgram(
  programs: Programs,
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<ProgramResult> {
  const child = startProgram(programs, program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs })
  const parts: string[] = []
  for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', (text) => parts.push(text))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: undefined, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? undefined, output: parts.join('').trim() }))
  })
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP } = process.env
  return { PATH, SystemRoot, TEMP, TMP, LC_ALL: 'C', TZ: 'UTC' }
}

/** True while a process with this id runs, of any user; false for a zombie that its parent has not reaped. */
export function isAlive(pid: number): boolean {
  return isPidInUse(pid) && stateOf(pid) !== 'Z'
}

/** True for a running process and for a zombie. */
export function isPidInUse(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** The state letter in /proc; undefined if the system has no such files. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
  } catch {
    return undefined
  }
}
