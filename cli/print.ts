import { styleText } from 'node:util'
import { Help } from 'commander'

type Style = Parameters<typeof styleText>[0]

/** Colours a part of the result where standard output is a terminal. Respects NO_COLOR. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Prints the result, which scripts read, to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** Prints a hint for a person to standard error. */
export function note(text: string): void {
  process.stderr.write(`${wrapped(text, process.stderr)}\n`)
}

/** Lines that end between words where they go to a terminal, which keeps `indent` columns free before each. */
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
  for (const [name, value] of pairs) print(`${styled('dim', name.padEnd(width))}  ${value}`)
}
