import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** How PostgreSQL's programs are started: directly, or as another user. */
export interface Programs {
  /** Who owns the files that PostgreSQL writes; undefined when that is this process's own user. */
  readonly user?: SystemUser
  /** Command line before the program, for `setpriv`. */
  readonly prefix?: readonly string[]
}

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** A program's end: `code` is undefined when it could not be started, was killed, or took longer than `timeoutMs`. */
export interface Ended {
  readonly code: number | undefined
  readonly output: string
}

export function startProgram(
  programs: Programs,
  program: string,
  args: readonly string[],
  how: SpawnOptions,
): ChildProcess {
  const { user, prefix } = programs
  const [file = program, ...rest] = [...(prefix ?? []), program, ...args]
  return spawn(file, rest, {
    // Its directory and its environment are not ours: no working directory it may not enter, no secret it need not know.
    cwd: '/',
    env: plainEnvironment(),
    windowsHide: true,
    // With a prefix the change of user is setpriv's work.
    ...(user && !prefix && { uid: user.uid, gid: user.gid }),
    ...how,
  })
}

export function runProgram(
  programs: Programs,
  program: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<Ended> {
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
