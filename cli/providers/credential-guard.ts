import type { TypedKey } from '../check-key.ts'

/** Recognises pieces of credentials in text. It errs on the side of seeing one. */
export interface Guard {
  /** The text shares so many characters in a row with a value or with a form of it, or is one. */
  hasPiece(text: string): boolean
  /** A word of the text is a piece of a value, such as its last four characters. */
  hasWord(text: string): boolean
}

/** Characters in a row that count as a piece, without regard to case. */
const pieceLength = 6
const wordLength = 4

/** Knows the values of these credentials as they are, in base64 at every alignment, in hexadecimal and encoded for a URL. */
export function credentialGuard(inputs: readonly TypedKey[]): Guard {
  const values = [...new Set(inputs.flatMap(valuesOf))].filter((value) => value !== '')
  const plain = values.map((value) => value.toLowerCase())
  const forms = values.flatMap(formsOf).map((form) => form.toLowerCase())
  const pieces = new Set(forms.flatMap(piecesOf))
  const short = new Set(forms.filter((form) => form.length < pieceLength))
  const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/)

  return {
    hasPiece(text) {
      return short.has(text.toLowerCase()) || piecesOf(text.toLowerCase()).some((piece) => pieces.has(piece))
    },
    hasWord(text) {
      return wordsOf(text).some(
        (word) => short.has(word) || (word.length >= wordLength && plain.some((value) => value.includes(word))),
      )
    },
  }
}

function valuesOf({ apiKey, email = '', parts = {} }: TypedKey): string[] {
  const secrets = [apiKey, ...Object.values(parts)].map((secret) => secret.open())
  return [email, ...secrets].flatMap((value) => leavesOf(value) ?? [value.trim()])
}

/** A key that is a JSON file: its values, because the names of its members are known to all. */
function leavesOf(value: string): string[] | undefined {
  if (!value.trim().startsWith('{')) return undefined
  const leaves: string[] = []
  try {
    JSON.parse(value, (_name, leaf: unknown) => {
      if (typeof leaf === 'string') leaves.push(leaf)
      return leaf
    })
    return leaves
  } catch {
    return undefined
  }
}

function formsOf(value: string): string[] {
  // Twice, too: a provider may repeat HTTP Basic credentials in base64.
  const once = base64Of(value)
  const base64 = [...once, ...once.flatMap(base64Of)]
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  const others = [value, encodeURIComponent(value), Buffer.from(value).toString('hex')]
  return [...others, ...base64, ...urlSafe].filter((form) => form !== '')
}

/**
 * What stands before the value, such as a user name in HTTP Basic, moves its bits: three alignments are possible. With the last group, which is
 * another where more follows, and without it.
 */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2].flatMap((skipped) => {
    const rest = bytes.subarray(skipped)
    const whole = rest.toString('base64').replace(/=+$/, '')
    return [whole, whole.slice(0, Math.floor(rest.length / 3) * 4)]
  })
}

function piecesOf(text: string): string[] {
  const count = Math.max(0, text.length - pieceLength + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + pieceLength))
}
