import { password, type SelectOptions, select, text } from '@clack/prompts'
import { Secret } from '../src/platform/secret.ts'
import { Fault, Interrupted } from './fault.ts'

/** Prompts go to standard error, because standard output has only the result: `$(muster …)` can prompt, too. */
const output = process.stderr

/** Whether a person can answer a prompt. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Returns what is wrong with a value, or undefined. */
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

/** All of standard input without the final line break, for secrets that a script passes on. */
export async function readSecret(what: string): Promise<Secret> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    const buffer = Buffer.from(piece)
    bytes += buffer.length
    if (bytes > secretBytesMax) throw new Fault(`Standard input is longer than ${what} can be.`)
    pieces.push(buffer)
  }
  const value = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (value === '')
    throw new Fault(
      `Standard input is empty: pipe ${what} into it, or run this command on a terminal, where it prompts.`,
    )
  return new Secret(value)
}

const secretBytesMax = 16_384

function answerOf<Answer extends string>(answer: Answer | symbol): Answer {
  // The only symbol that a prompt returns stands for Ctrl-C.
  if (typeof answer === 'symbol') throw new Interrupted()
  return answer
}
