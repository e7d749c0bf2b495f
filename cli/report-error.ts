import { CommanderError } from 'commander'
import { ConfigError } from '../src/config.ts'
import { Problem } from '../src/platform/problems.ts'
import { StartError } from '../src/platform/start-error.ts'
import { Fault, Interrupted } from './fault.ts'
import { note } from './print.ts'

/** Writes an error to standard error, as sentences where it was foreseeable, and returns the exit code. */
export function reportError(error: unknown): number {
  // commander has already written its own sentence, or the requested help.
  if (error instanceof CommanderError) return error.exitCode
  if (error instanceof Interrupted) return error.exitCode
  if (isClosedPipe(error)) return 0
  note(textOf(error))
  return error instanceof Fault ? error.exitCode : 1
}

function textOf(error: unknown): string {
  if (error instanceof Problem) return sentencesOf(error)
  if (error instanceof Fault || error instanceof ConfigError || error instanceof StartError) return error.message
  // Anything else is a bug, and its stack belongs into a bug report.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A problem as sentences: the faults of the input where there are any, otherwise the detail that the API would answer. */
export function sentencesOf({ message, more }: Problem): string {
  return more.errors?.map(({ detail }) => detail).join('\n') ?? message
}

/** The reader of the result has stopped reading. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
}
