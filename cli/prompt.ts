import { password, type SelectOptions, select, text } from '@clack/prompts'
import { Secret } from '../src/platform/secret.ts'
import { Fault, Interrupted } from './errors.ts'

/** Prompts go to standard error, so that `$(muster …)` can prompt and captures only the result. */
const output = process.stderr

/** True if a user can answer prompts. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Returns an error message or undefined. */
type FaultOf = (value: string) => string | undefined

export async function askSecret(message: string, faultOf: FaultOf): Promise<Secret> {
  const validate = (value = '') => faultOf(value)
  return new Secret(answerOf(await password({ message, validate, clearOnError: true, output })))
}

export async function askText(message: string, faultOf: FaultOf): Promise<string> {
  return answerOf(await text({ message, validate: (value = '') => faultOf(value), output }))
}

export async function askOne<Value extends string>(
  message: string,
  options: SelectOptions<Value>['options'],
): Promise<Value> {
  return answerOf<Value>(await select<Value>({ message, options, output }))
}

/** Reads all of standard input, without the final line break. */
export async function readSecret(what: string): Promise<Secret> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    const buffer = Buffer.from(piece)
    bytes += buffer.length
    if (bytes > secretBytesMax) throw new Fault(`Standard input is too long for ${what}.`)
    pieces.push(buffer)
  }
  const value = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (value === '')
    throw new Fault(
      `Standard input is empty. Pipe ${what} into this command, or run it on a terminal, where it prompts.`,
    )
  return new Secret(value)
}

const secretBytesMax = 16_384

function answerOf<Answer extends string>(answer: Answer | symbol): Answer {
  // Prompts return a symbol only for Ctrl-C.
  if (typeof answer === 'symbol') throw new Interrupted()
  return answer
}
