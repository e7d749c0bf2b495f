/**
 * The forms of a password under which the list of common passwords is searched: in lower case as it is, and reduced, as attackers vary what
 * is listed. Digits and symbols at both ends are cut, digits and symbols inside are read as letters, and a repeated part is taken once.
 */
export function formsOf(password: string): ReadonlySet<string> {
  const lower = password.toLowerCase()
  // `$uperman2026`: of a character at the end it is not known whether it stands for a letter.
  const parts = [lower, match(/^.*\p{L}/su, lower), match(/\p{L}.*$/su, lower), cut(lower)]
  const read = readings.flatMap((reading) => parts.map((part) => cut(lettersOf(part, reading))))
  return new Set([lower, ...[lower, cut(lower), ...read].map(once)])
}

/** `1` and `!` stand for two letters. */
const common = { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's', '7': 't' } as const
const readings = [
  new Map(Object.entries({ ...common, '1': 'i', '!': 'i' })),
  new Map(Object.entries({ ...common, '1': 'l', '!': 'l' })),
]

function lettersOf(text: string, reading: ReadonlyMap<string, string>): string {
  return text.replaceAll(/[@4310$57!]/g, (character) => reading.get(character) ?? character)
}

/** From the first to the last letter; a text without letters as it is. */
function cut(text: string): string {
  return match(/\p{L}(?:.*\p{L})?/su, text)
}

function match(pattern: RegExp, text: string): string {
  return pattern.exec(text)?.[0] ?? text
}

/** `abcabcabc` → `abc`. */
function once(text: string): string {
  return /^(.{1,8}?)\1+$/su.exec(text)?.[1] ?? text
}
