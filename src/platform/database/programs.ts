import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** How to start PostgreSQL's programs: directly, or as another user. */
export interface Programs {
  /** The owner of the files that PostgreSQL writes; absent when that is the user of this process. */
  readonly user?: SystemUser
  /** Command line in front of the program, for `setpriv`. */
  readonly prefix?: readonly string[]
}

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** `code` is undefined when the program could not be started, was killed, or took longer than `timeoutMs`. */
export interface ProgramResult {
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
    // The program's user may not be able to enter our working directory, and the program needs none of our secrets.
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
