import { type ImportFormat, textAt } from '../format.ts'

/** Muster's own format: the output of `muster export`, optionally with password hashes. */
export const muster: ImportFormat = {
  title: 'Muster',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    createdAt: textAt(record, 'createdAt'),
    lastSignInAt: textAt(record, 'lastSignInAt'),
    isDisabled: textAt(record, 'status') === 'disabled',
    role: textAt(record, 'role'),
    passwordHash: textAt(record, 'passwordHash'),
  }),
}
