import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { anyCharacter } from '../../support/any-character.ts'
import { type Service, startService } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  return () => service.stop()
})

async function resultOf<Value>(expression: string, ...values: readonly unknown[]): Promise<Value | undefined> {
  const [row] = await service.sql<{ value: Value }>(`select ${expression} as value`, values)
  return row?.value
}

const letters = [...'abz09ä', 'ß', 'é', 'ж', 'λ', 'テ', '光', '한', '💩', '𝒜']
const domain = fc
  .array(fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 15 }), { minLength: 1, maxLength: 3 })
  .map((labels) => domainToASCII(labels.map((label) => label.join('')).join('.')))

test('PostgreSQL writes the domain of an email in Unicode exactly as Node does', async () => {
  await fc.assert(
    fc.asyncProperty(domain, async (ascii) => {
      fc.pre(ascii.includes('xn--'))
      const email = `ada@${ascii}`
      expect(await resultOf('email_forms($1)', email)).toBe(`${email}\nada@${domainToUnicode(ascii)}`)
    }),
    { numRuns: 200 },
  )
})

test('an email with any text in place of A-labels can be stored and found', async () => {
  const label = fc.oneof(
    fc.stringMatching(/^[a-z0-9-]{0,59}$/),
    fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
  )
  await fc.assert(
    fc.asyncProperty(label, async (text) => {
      const email = `a@xn--${text}`
      const stored = await service.sql(
        `with new as (insert into account (email) values ($1) returning search_key, email_key)
         select search_key, email_key from new where strpos(search_key, E'\\n' || email_key) = 1`,
        [email.slice(0, 254)],
      )
      expect(stored).toHaveLength(1)
    }),
    { numRuns: 200 },
  )
})

test('every part of a text matches the index terms of the text', async () => {
  const text = fc.string({
    unit: fc.constantFrom(...letters, "'", '\\', '"', ' ', '%', ':', '&', '\n', '@'),
    minLength: 1,
  })
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), fc.nat(), async (whole, from, size) => {
      const characters = [...whole]
      const start = from % characters.length
      const part = characters.slice(start, start + 1 + (size % characters.length)).join('')
      expect(await resultOf('text_parts($1) @@ parts_query($2)', whole, part)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['GRACE@EXAMPLE.COM', 'grace@example.com'],
  ['Müller', 'müller'],
  ['Mu\u0308ller', 'müller'],
  ['I', 'i'],
  ['ΕΛΛΆΣ', 'ελλάσ'],
  ['Ελλάς', 'ελλάσ'],
  ['Ada  King', 'ada king'],
  ['Ada\u00A0King', 'ada king'],
  ['山田\u3000太郎', '山田 太郎'],
])('searches compare %s as %s', async (text, folded) => {
  expect(await resultOf('search_fold($1)', text)).toBe(folded)
})
