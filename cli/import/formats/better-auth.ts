import { type ImportFormat, isTrue, type RawRecord, textAt } from '../format.ts'

/** Rows of `user` with `password` of the `account` whose provider is `credential`; the query is in docs/administration.md. */
export const betterAuth: ImportFormat = {
  title: 'better-auth',
  read: (record) => ({
    id: textAt(record, 'id'),
    email: textAt(record, 'email'),
    createdAt: textAt(record, 'createdAt') ?? textAt(record, 'created_at'),
    lastSignInAt: textAt(record, 'lastSignInAt'),
    isDisabled: isTrue(record, 'banned'),
    passwordHash: hashOf(record),
  }),
}

/** `salt:key` in hexadecimal, scrypt with N = 2^14, r = 16, p = 1. The salt is the text of the digits, not the bytes that they encode. */
function hashOf(record: RawRecord): string | undefined {
  const password = textAt(record, 'password')
  const [, salt, key] = /^([0-9a-f]{16,64}):([0-9a-f]{64,256})$/.exec(password ?? '') ?? []
  if (salt === undefined || key === undefined) return password
  return `$scrypt$ln=14,r=16,p=1$${bare(Buffer.from(salt))}$${bare(Buffer.from(key, 'hex'))}`
}

function bare(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
