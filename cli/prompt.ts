import { password, type SelectOptions, select, text } from '@clack/prompts'
import { Secret } from '../src/platform/secret.ts'
import { Fault, Interrupted } from './fault.ts'

/** Prompts are no result: they go to standard error, so that `$(muster …)` still asks. */
const output = process.stderr

/** Whether somebody is there to answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Answers what is wrong with a value, or nothing. */
type FaultOf = (value: string) => string | undefined

export async function askSecret(message: string, faultOf: FaultOf): Promise<Secret> {
  const validate = (value = '') => faultOf(value)
  return new Secret(kept(await password({ message, validate, clearOnError: true, output })))
}

export async function askText(message: string, faultOf: FaultOf): Promise<string> {
  return kept(await text({ message, validate: (value = '') => faultOf(value), output }))
}

export async function askOne<Value extends string>(
  message: string,
  options: SelectOptions<Value>['options'],
): Promise<Value> {
  return kept<Value>(await select<Value>({ message, options, output }))
}

/** All of standard input without the line break at its end, for secrets that a script hands over. */
export async function readSecret(what: string): Promise<Secret> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    const buffer = Buffer.from(piece)
    bytes += buffer.length
    if (bytes > secretBytesMax) throw new Fault(`Standard input holds more than ${what} can be.`)
    pieces.push(buffer)
  }
  const value = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '')
  if (value === '')
    throw new Fault(`Standard input is empty: send ${what} on it, or run this on a terminal to be asked.`)
  return new Secret(value)
}

const secretBytesMax = 16_384

function kept<Answer extends string>(answer: Answer | symbol): Answer {
  // The only symbol that a prompt answers is the one of Ctrl-C.
  if (typeof answer === 'symbol') throw new Interrupted()
  return answer
}
