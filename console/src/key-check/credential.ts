import type { Schemas } from '@muster/client'

/** Whose key is to be checked. Never the key itself. */
interface KeysSearch {
  readonly provider?: string
}

export function keysSearch({ provider }: Readonly<Record<string, unknown>>): KeysSearch {
  return typeof provider === 'string' && provider !== '' ? { provider } : {}
}

export type Provider = Schemas['Provider']
export type KeyType = Provider['keyTypes'][number]
export type CredentialField = Schemas['CredentialField']
export type KeyCheck = Schemas['KeyCheck']
export type KeyVerdict = Schemas['KeyVerdict']
export type KeyPurpose = Schemas['KeyPurpose']
export type Ability = NonNullable<KeyPurpose['ability']>

/** What was entered, by the names of the fields. */
export type CredentialValues = Readonly<Record<string, string>>

/** The name of a field at the beginning of a line. Providers write some of theirs in lower case. */
export function titleOf({ label }: CredentialField): string {
  return label.charAt(0).toUpperCase() + label.slice(1)
}

export function isRequired({ required, requiredWhen = {} }: CredentialField, values: CredentialValues): boolean {
  return (
    required ||
    Object.entries(requiredWhen).some(([name, pattern]) => new RegExp(pattern).test((values[name] ?? '').trim()))
  )
}

/** What stops a check before it is sent, by the places of the fields in the body. */
export function missingOf(fields: readonly CredentialField[], values: CredentialValues): readonly string[] {
  return fields
    .filter((field) => isRequired(field, values) && (values[field.name] ?? '').trim() === '')
    .map(({ at }) => at)
}

/** Values that do not look as they usually do, by place. The service takes them all the same, because providers change their forms. */
export function unusualOf(fields: readonly CredentialField[], values: CredentialValues): readonly string[] {
  return fields
    .filter(({ name, pattern }) => {
      const value = (values[name] ?? '').trim()
      return pattern !== undefined && value !== '' && !new RegExp(pattern).test(value)
    })
    .map(({ at }) => at)
}

/** The body of a check. Fields that were left empty are omitted; the service cleans the values itself. */
export function bodyOf(provider: Provider, keyType: KeyType, values: CredentialValues, purpose: KeyPurpose): KeyCheck {
  const filled = keyType.fields.flatMap(({ at, name }) => {
    const value = values[name] ?? ''
    return value.trim() === '' ? [] : [[at, value] as const]
  })
  const members = Object.fromEntries(filled)
  const parts = Object.fromEntries(
    filled.flatMap(([at, value]) => (at.startsWith('/parts/') ? [[at.slice('/parts/'.length), value]] : [])),
  )
  const { zone, ability } = purpose
  return {
    provider: provider.id,
    keyType: keyType.keyType,
    apiKey: members['/apiKey'] ?? '',
    ...(members['/email'] !== undefined && { email: members['/email'].trim() }),
    ...(Object.keys(parts).length > 0 && { parts }),
    ...((zone !== undefined || ability !== undefined) && { for: purpose }),
  }
}

/** Whether a provider is meant by what was typed: its title or id, without regard to blanks and signs, or with letters left out. */
export function isMeant({ id, title }: Provider, typed: string): boolean {
  const query = plain(typed)
  const names = [plain(title), plain(id)]
  if (names.some((name) => name.includes(query))) return true
  return query.length > 3 && names.some((name) => holdsInOrder(name, query))
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function holdsInOrder(name: string, letters: string): boolean {
  let from = name[0] === letters[0] ? 0 : name.length
  for (const letter of letters) {
    const found = name.indexOf(letter, from)
    if (found === -1) return false
    from = found + 1
  }
  return true
}
