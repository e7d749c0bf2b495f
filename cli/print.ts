import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** A piece of the result in a colour, where standard output is a terminal that wants one (NO_COLOR is respected). */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** The result: what a script reads. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

/** A hint for a person, beside the result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Names and values below each other. */
export function printPairs(pairs: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...pairs.map(([name]) => name.length))
  for (const [name, value] of pairs) print(`${styled('dim', name.padEnd(width))}  ${value}`)
}
