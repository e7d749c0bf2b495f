/** A foreseeable error of a command: one sentence for the person at the terminal. */
export class Fault extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.name = 'Fault'
    this.exitCode = exitCode
  }
}

/** Ctrl-C at a prompt. Shells expect 128 and the number of the signal. */
export class Interrupted extends Error {
  readonly exitCode = 130
}

/** The exit code of `keys check` where the outcome is undetermined. */
export const undeterminedExitCode = 2
