import { expect, test } from 'vitest'

import { strictTls } from '../../../src/platform/database/link.ts'

test.each(['prefer', 'require', 'verify-ca'])(
  'sslmode=%s verifies the certificate and host name of the server',
  (mode) => {
    expect(strictTls(`postgres://u:p@h/d?sslmode=${mode}`)).toBe('postgres://u:p@h/d?sslmode=verify-full')
    expect(strictTls(`postgres://u:p@h/d?a=b&sslmode=${mode}&sslrootcert=/ca`)).toBe(
      'postgres://u:p@h/d?a=b&sslmode=verify-full&sslrootcert=/ca',
    )
  },
)

test.each([
  'postgres://u:p@h/d',
  'postgres://u:p@h/d?sslmode=verify-full',
  'postgres://u:p@h/d?sslmode=disable',
  'postgres://u:p@h/d?sslmode=no-verify',
  'postgres://u:p@h/d?sslmode=require&uselibpqcompat=true',
  'postgres://u:sslmode=require@h/d',
])('an explicit choice of the operator stays unchanged: %s', (url) => {
  expect(strictTls(url)).toBe(url)
})
