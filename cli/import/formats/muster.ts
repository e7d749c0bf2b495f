import { type ImportFormat, textAt } from '../format.ts'

/** Our own: what `muster export` writes, with what a person may add. */
export const muster: ImportFormat = {
  title: 'Muster',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    createdAt: textAt(record, 'createdAt'),
    isDisabled: textAt(record, 'status') === 'disabled',
    role: textAt(record, 'role'),
    passwordHash: textAt(record, 'passwordHash'),
  }),
}
