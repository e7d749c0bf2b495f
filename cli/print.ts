import { styleText } from 'node:util'

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
  process.stderr.write(`${text}\n`)
}

/** Prints names and values in two columns. */
export function printPairs(pairs: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...pairs.map(([name]) => name.length))
  for (const [name, value] of pairs) print(`${styled('dim', name.padEnd(width))}  ${value}`)
}
