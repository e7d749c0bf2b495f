import { CommanderError } from 'commander'
import { Problem } from '../src/platform/problems.ts'
import { ConfigError } from '../src/platform/settings.ts'
import { StartError } from '../src/platform/start-error.ts'
import { note } from './print.ts'

/** An expected error, as a sentence for the terminal. */
export class Fault extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'Fault'
    this.exitCode = exitCode
  }
}

/** Ctrl-C at a prompt. Shells expect 128 plus the number of the signal. */
export class Interrupted extends Error {
  readonly exitCode = 130
}

/** Exit code of `keys check` for an undetermined outcome. */
export const undeterminedExitCode = 2

/** Runs a command whose exit code is a verdict. Every error is `undeterminedExitCode`. */
export async function runForVerdict(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    const exitCode = reportError(error)
    process.exitCode = error instanceof Interrupted ? exitCode : undeterminedExitCode
  }
}

/** Calls `end` with an exit code at SIGINT or SIGTERM, unless the returned function is called first. */
export function onSignal(end: (exitCode: number) => void): () => void {
  const onInterrupt = () => end(130)
  const onTerminate = () => end(143)
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onTerminate)
  return () => {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
  }
}

/** Prints an error to standard error and returns the exit code. */
export function reportError(error: unknown): number {
  // commander has already printed the error or the help.
  if (error instanceof CommanderError || error instanceof Interrupted) return error.exitCode
  if (isClosedPipe(error)) return 0
  note(textOf(error))
  return error instanceof Fault ? error.exitCode : 1
}

function textOf(error: unknown): string {
  if (error instanceof Problem) return sentencesOf(error)
  if (error instanceof Fault || error instanceof ConfigError || error instanceof StartError) return error.message
  // Anything else is a bug, whose stack belongs in the bug report.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The faults of the input, one per line, or else the detail that the API would return. */
export function sentencesOf({ message, more }: Problem): string {
  return more.errors?.map(({ detail }) => detail).join('\n') ?? message
}

/** The reader of standard output, such as `head`, has stopped reading. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}
