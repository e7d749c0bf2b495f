import { CommanderError } from 'commander'
import { ConfigError } from '../src/config.ts'
import { Problem } from '../src/platform/problems.ts'
import { StartError } from '../src/platform/start-error.ts'
import { Fault, Interrupted } from './fault.ts'

/** Writes to standard error what went wrong, in sentences where it was foreseeable; answers the exit code. */
export function reportError(error: unknown): number {
  // commander has written its own sentence already, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof Interrupted) return error.exitCode
  if (isClosedPipe(error)) return 0
  process.stderr.write(`${textOf(error)}\n`)
  return error instanceof Fault ? error.exitCode : 1
}

function textOf(error: unknown): string | undefined {
  if (error instanceof Problem) return sentencesOf(error)
  if (error instanceof Fault || error instanceof ConfigError || error instanceof StartError) return error.message
  // Anything else is a fault of ours, and its stack is what a report of it needs.
  return error instanceof Error ? error.stack : String(error)
}

/** A problem as a person reads it: each fault of the input where there are any, otherwise what the caller would be told. */
export function sentencesOf({ message, more }: Problem): string {
  return more.errors?.map(({ detail }) => detail).join('\n') ?? message
}

/** Whoever read the result has stopped reading. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}
