import { type ImportFormat, isTrue, type RawRecord, textAt } from '../format.ts'

/** The dashboard's export of users (CSV). */
export const clerk: ImportFormat = {
  title: 'Clerk',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'primary_email_address'),
    createdAt: textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'last_sign_in_at'),
    isDisabled: isTrue(record, 'banned'),
    passwordHash: hashOf(record),
  }),
}

/** `password_hasher` names the kind of the digest; bcrypt and argon2 digests already have our format. */
function hashOf(record: RawRecord): string | undefined {
  const digest = textAt(record, 'password_digest')
  const hasher = textAt(record, 'password_hasher')
  if (digest === undefined || hasher === undefined || digest.startsWith('$')) return digest
  return `${hasher}:${digest}`
}
