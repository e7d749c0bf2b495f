import type { CredentialField, CredentialValues } from './credential.ts'

/** What a pasted text says of the fields of a form. */
interface PastedCredential {
  readonly values: CredentialValues
  /** Lines with a value that belongs to none of the fields. */
  readonly linesLeftOut: number
}

interface Assignment {
  readonly name: string
  readonly value: string
}

/**
 * Reads `NAME=value` lines, a profile of AWS or a section of an `.edgerc`. Nothing where the text is anything else, such as the key
 * itself, or names none of the fields. Of several sections the first one that names a field counts, so that parts of two credentials
 * are never mixed; a name that stands twice in it has its last value, as in a shell.
 */
export function readPasted(text: string, fields: readonly CredentialField[]): PastedCredential | undefined {
  for (const section of sectionsOf(text) ?? []) {
    const found = section.map(({ name, value }) => [fieldOf(name, value, fields), value] as const)
    const named = found.flatMap(([field, value]) => (field ? [[field.name, value] as const] : []))
    if (named.length > 0) return { values: Object.fromEntries(named), linesLeftOut: found.length - named.length }
  }
  return undefined
}

/** Nothing where a line is neither an assignment, a heading, a comment nor empty. */
function sectionsOf(text: string): Assignment[][] | undefined {
  const sections: Assignment[][] = [[]]
  for (const line of text.split(/\r\n|\n|\r/).map((untrimmed) => untrimmed.trim())) {
    if (line === '' || /^[#;]/.test(line)) continue
    if (/^\[[^\]]*\]$/.test(line)) sections.push([])
    else {
      const assignment = assignmentOf(line)
      if (!assignment) return undefined
      if (assignment.value !== '') sections.at(-1)?.push(assignment)
    }
  }
  return sections
}

function assignmentOf(line: string): Assignment | undefined {
  const [, name, value] = /^(?:export\s+|set\s+|\$env:)?([A-Za-z][\w.-]*)\s*=\s*(.*)$/i.exec(line) ?? []
  // A key in base64 may end with these signs.
  if (name === undefined || value === undefined || /^=+$/.test(value)) return undefined
  return { name, value: withoutQuotes(value) }
}

function withoutQuotes(value: string): string {
  const [, , inner] = /^(["'])(.*)\1;?$/.exec(value) ?? []
  return inner ?? value
}

/** What the secret of a credential is also called. A part that is named so itself comes first. */
const secretNames = [
  'apikey',
  'apitoken',
  'accesstoken',
  'authtoken',
  'token',
  'secret',
  'secretkey',
  'secretaccesskey',
  'accesskeysecret',
  'apisecret',
  'clientsecret',
  'privatekey',
  'password',
  'key',
]

/** The field with the longest name at the end of the given one: `AWS_SECRET_ACCESS_KEY` is `secretAccessKey`, not `accessKey`. */
function fieldOf(name: string, value: string, fields: readonly CredentialField[]): CredentialField | undefined {
  const given = plain(name)
  let best: CredentialField | undefined
  let bestLength = 0
  for (const field of byCertainty(fields)) {
    const length = Math.max(...field.names.map((one) => (given.endsWith(one) ? one.length : 0)))
    if (length > bestLength) {
      best = field.field
      bestLength = length
    }
  }
  return best?.options && !best.options.includes(value) ? undefined : best
}

/** Parts by what they are called, then the secret by what it may also be called. */
function byCertainty(fields: readonly CredentialField[]) {
  const parts = fields.filter(({ at }) => at !== '/apiKey')
  const secrets = fields.filter(({ at }) => at === '/apiKey')
  const called = (field: CredentialField) => [plain(field.label), plain(field.name)].filter((name) => name !== '')
  return [
    ...secrets.map((field) => ({ field, names: [plain(field.label)] })),
    ...parts.map((field) => ({ field, names: called(field) })),
    ...secrets.map((field) => ({ field, names: secretNames })),
  ]
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}
