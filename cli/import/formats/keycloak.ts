import { parseBoundedJson } from '../../../src/platform/json-text.ts'
import { type ImportFormat, type RawRecord, textAt, valueAt } from '../format.ts'

/** The users of a realm's export, one a line: `jq -c '.users[]' realm.json > people.jsonl`. */
export const keycloak: ImportFormat = {
  title: 'Keycloak',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    createdAt: timeOf(record),
    isDisabled: record.enabled === false,
    passwordHash: hashOf(record),
  }),
}

function timeOf(record: RawRecord): number | undefined {
  const time = record.createdTimestamp
  return typeof time === 'number' ? time : undefined
}

function hashOf(record: RawRecord): string | undefined {
  const credentials = Array.isArray(record.credentials) ? record.credentials : []
  const password = credentials.find((one) => textAt({ one }, 'one', 'type') === 'password')
  if (password === undefined) return undefined
  const secret = parsed(textAt({ password }, 'password', 'secretData'))
  const data = parsed(textAt({ password }, 'password', 'credentialData'))
  const [salt, value] = [textAt(secret, 'salt'), textAt(secret, 'value')]
  const [algorithm, rounds] = [textAt(data, 'algorithm'), textAt(data, 'hashIterations')]
  const ending = `$${bare(salt ?? '')}$${bare(value ?? '')}`
  if (algorithm === 'argon2')
    return `$argon2${first(data, 'type')}$v=19$m=${first(data, 'memory')},t=${rounds},p=${first(data, 'parallelism')}${ending}`
  return `$${algorithm}$i=${rounds}${ending}`
}

/** Parameters of argon2 are lists of one. */
function first(data: RawRecord, name: string): string {
  const list = valueAt(data, ['additionalParameters', name])
  return String(Array.isArray(list) ? list[0] : '')
}

function parsed(text: string | undefined): RawRecord {
  try {
    const value: unknown = parseBoundedJson(text ?? '{}')
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
  } catch {
    // Validation then rejects the record: without parameters the hash has an unknown format.
    return {}
  }
}

function bare(base64: string): string {
  return base64.replaceAll('=', '')
}
