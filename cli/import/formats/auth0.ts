import { type ImportFormat, isTrue, type RawRecord, textAt } from '../format.ts'

/** The export of users (JSON lines or CSV), or the export of password hashes from Auth0's support. */
export const auth0: ImportFormat = {
  title: 'Auth0',
  read: (record) => ({
    id: idOf(record),
    email: textAt(record, 'email') ?? textAt(record, 'Email'),
    createdAt: textAt(record, 'created_at') ?? textAt(record, 'password_set_date', '$date'),
    lastSignInAt: textAt(record, 'last_login'),
    isDisabled: isTrue(record, 'blocked'),
    // bcrypt, unchanged.
    passwordHash: textAt(record, 'passwordHash'),
  }),
}

/** The export of hashes has the id without the name of its connection, which tokens and the other export put in front. */
function idOf(record: RawRecord): string | undefined {
  const bare = textAt(record, '_id', '$oid')
  return textAt(record, 'user_id') ?? textAt(record, 'Id') ?? (bare === undefined ? undefined : `auth0|${bare}`)
}
