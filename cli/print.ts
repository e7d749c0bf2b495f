import { styleText } from 'node:util'
import { Help } from 'commander'

type Style = Parameters<typeof styleText>[0]

/** Styles text if standard output is a terminal. Respects NO_COLOR. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Prints a result, which scripts read, to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** Prints a hint to standard error. */
export function note(text: string): void {
  process.stderr.write(`${wrapped(text, process.stderr)}\n`)
}

/** Wraps text for a terminal. Indents all lines but the first by `indent` columns. */
export function wrapped(
  text: string,
  { isTTY, columns = 80 }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
  indent = 0,
): string {
  if (!isTTY) return text
  const lines = new Help().boxWrap(text, Math.max(40, columns - indent))
  return lines.replaceAll('\n', `\n${' '.repeat(indent)}`)
}

/** Prints names and values in two columns. */
export function printPairs(pairs: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...pairs.map(([name]) => name.length))
  for (const [name, value] of pairs) print(`${styled('dim', name.padEnd(width))}  ${printable(value)}`)
}

/** Replaces characters that control a terminal or reverse text: users choose their own names. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}
