import { type ImportFormat, type RawRecord, textAt } from '../format.ts'

/** Rows of `auth.users`, by `\copy (select * from auth.users) to 'people.csv' csv header` or as JSON lines. */
export const supabase: ImportFormat = {
  title: 'Supabase Auth',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    createdAt: textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'last_sign_in_at'),
    isDisabled: textAt(record, 'deleted_at') !== undefined || isBanned(record),
    // bcrypt, unchanged.
    passwordHash: textAt(record, 'encrypted_password'),
  }),
}

function isBanned(record: RawRecord): boolean {
  const until = textAt(record, 'banned_until')
  return until !== undefined && !(new Date(until).getTime() <= Date.now())
}
