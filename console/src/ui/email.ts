/** For users to read: the email, and if its domain has A-labels, also with the domain in Unicode. */
export function displayEmail(email: string): string {
  const unicode = unicodeEmail(email)
  return unicode === email ? email : `${unicode} (${email})`
}

/** The email with the domain in Unicode. A label that no browser would write that way stays as it is. */
export function unicodeEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1
  const labels = email.slice(at).split('.').map(unicodeLabel)
  return email.slice(0, at) + labels.join('.')
}

/**
 * Whether a label of the domain mixes scripts, such as Latin and Cyrillic: such a domain may imitate another one.
 * Japanese, Chinese and Korean mix theirs, and use Latin beside them (UTS 39 §5.2).
 */
export function hasMixedScripts(email: string): boolean {
  const labels = unicodeEmail(email)
    .slice(email.lastIndexOf('@') + 1)
    .split('.')
  return labels.some((label) => {
    const used = scripts.flatMap(({ name, letter }) => (letter.test(label) ? [name] : []))
    return used.length > 1 && !mixable.some((together) => used.every((script) => together.includes(script)))
  })
}

/** The conversion back must return the label: `xn---bba`, for example, would otherwise look like `xn--bba`. */
function unicodeLabel(label: string): string {
  const unicode = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : undefined
  return unicode !== undefined && asciiOf(unicode) === label ? unicode : label
}

function asciiOf(label: string): string | undefined {
  return URL.parse(`http://${label}.example`)?.hostname.replace(/\.example$/, '')
}

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** RFC 3492 §6.2. Undefined if the text is malformed. */
function decodePunycode(encoded: string): string | undefined {
  const dash = encoded.lastIndexOf('-')
  const decoded = dash < 0 ? [] : [...encoded.slice(0, dash)]
  const values = Array.from(encoded.slice(dash + 1), (digit) => digits.indexOf(digit))
  let [codePoint, place, bias] = [128, 0, 72]
  while (values.length > 0) {
    const start = place
    let weight = 1
    for (let step = 36; ; step += 36) {
      const digit = values.shift()
      if (digit === undefined || digit < 0) return undefined
      place += digit * weight
      const threshold = Math.min(Math.max(step - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = decoded.length + 1
    bias = nextBias(place - start, length, start === 0)
    codePoint += Math.floor(place / length)
    if (codePoint > 0x10ffff) return undefined
    place %= length
    decoded.splice(place, 0, String.fromCodePoint(codePoint))
    place += 1
  }
  return decoded.join('')
}

function nextBias(difference: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? 700 : 2))
  delta += Math.floor(delta / length)
  let bias = 0
  for (; delta > 455; bias += 36) delta = Math.floor(delta / 35)
  return bias + Math.floor((36 * delta) / (delta + 38))
}

/** The scripts of domains in use (UAX 31, table 5), and Cherokee, whose letters look like Latin ones. */
const scripts =
  'Arabic Armenian Bengali Bopomofo Cherokee Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
    .split(' ')
    .map((name) => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }))
const mixable: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
