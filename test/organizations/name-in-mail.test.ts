import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameInMail } from '../../src/organizations/invitation-mail.ts'

test('a name in a mail has at most 60 characters and nothing that mail programs make a link of', () => {
  const part = fc.constantFrom('.', '..', ':', '/', '://', ' ', 'a', 'https', 'evil.example', '😀', 'www')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
      const shown = nameInMail(parts.join(''))
      expect([...shown].length).toBeLessThanOrEqual(60)
      expect(shown).not.toMatch(/:\/\/|\.[^\s…]/)
    }),
    { examples: [[['https', '://', 'evil.example']], [[':', '://', '//']], [['..', 'a']]] },
  )
})

test('a plain name in a mail is unchanged', () => {
  for (const name of ['Analytical Engines', 'Ada & Co.', 'Größe 4/5', 'x'.repeat(60)])
    expect(nameInMail(name)).toBe(name)
})
