import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  displayEmail,
  emailFault,
  emailPattern,
  hasMixedScripts,
  normalizeEmail,
  unicodeEmail,
  withAsciiDomain,
} from '../../src/platform/email.ts'
import { anyCharacter } from '../support/any-character.ts'

const nonAsciiLocalPart =
  'must have only ASCII characters before the @; only the domain can have others, as in ada@exämple.de'
const notAnEmail = 'must be an email address'

const anyText = fc.string({ unit: anyCharacter, maxLength: 300 })
/** Letters of several scripts, with capitals, marks and characters that the conversion removes. */
const labels = fc
  .array(
    fc.constantFrom(...'abzAZ09', 'ä', 'Ä', 'a\u0308', 'ß', 'é', 'ж', 'Ж', 'λ', 'テ', '光', '한', 'ñ', '\u00AD', 'ｗ'),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((letters) => letters.join(''))
const emails = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,20}$/), fc.array(labels, { minLength: 1, maxLength: 3 }))
  .map(([local, domain]) => `${local}@${domain.join('.')}`)

describe('the stored spelling of an email', () => {
  test.each([
    ['mueller@exämple.de', 'mueller@xn--exmple-cua.de'],
    ['Mueller@EXÄMPLE.DE', 'mueller@xn--exmple-cua.de'],
    ['mueller@exa\u0308mple.de', 'mueller@xn--exmple-cua.de'],
    ['a@straße.de', 'a@xn--strae-oqa.de'],
    ['a@例え。テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@XN--Exmple-CUA.de', 'a@xn--exmple-cua.de'],
    ['Ada@Example.COM', 'ada@example.com'],
  ])('of %s is %s', (text, stored) => {
    expect(emailFault(text)).toBeUndefined()
    expect(normalizeEmail(text)).toBe(stored)
  })

  test('does not change when it is normalized again, and no text makes it fail', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, emails), (text) => {
        const once = normalizeEmail(text)
        expect(normalizeEmail(once)).toBe(once)
        expect(withAsciiDomain(withAsciiDomain(text))).toBe(withAsciiDomain(text))
      }),
    )
  })

  test('is a valid ASCII email exactly if the email has no fault', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, emails), (text) => {
        const isValid = emailFault(text) === undefined
        if (isValid) expect(normalizeEmail(text)).toMatch(emailPattern)
        expect(emailFault(withAsciiDomain(text)) === undefined).toBe(isValid)
      }),
    )
  })

  test('is the same for every spelling of the domain', () => {
    fc.assert(
      fc.property(emails, (email) => {
        fc.pre(emailFault(email) === undefined)
        // The URL standard takes a domain that ends in a number for an IPv4 address: it has no spelling in Unicode.
        const isNumeric = /[.@]\d+$/.test(email)
        const at = email.indexOf('@')
        const spellings = [
          email,
          email.normalize('NFD'),
          email.normalize('NFC'),
          email.slice(0, at) + email.slice(at).toUpperCase().replaceAll('SS', 'ss'),
          email.replaceAll('.', (dot, index: number) => (index > at ? '。' : dot)),
          unicodeEmail(normalizeEmail(email)),
        ].filter((one) => (!/ß/.test(email) || one === email) && !(isNumeric && /[^\0-\x7F]/.test(one)))
        expect(new Set(spellings.map(normalizeEmail))).toEqual(new Set([normalizeEmail(email)]))
      }),
    )
  })
})

describe('an invalid email', () => {
  test.each([
    ['müller@exämple.de', nonAsciiLocalPart],
    ['müller@example.com', nonAsciiLocalPart],
    ['\u212A@example.com', nonAsciiLocalPart],
    ['müller', notAnEmail],
    ['müller@', notAnEmail],
    ['müller@-', notAnEmail],
    ['@exämple.de', notAnEmail],
    ['a@exämple.de/path', notAnEmail],
    ['a@exämple.de:25', notAnEmail],
    ['a@exämp%6Ce.de', notAnEmail],
    ['a@exä\tmple.de', notAnEmail],
    ['a@exä／mple.de', notAnEmail],
    ['a@１２７.1', notAnEmail],
    ['a@\u200Fé.com', notAnEmail],
    ['a@exämple..de', notAnEmail],
    [`a@${'ä'.repeat(64)}.de`, notAnEmail],
    [`a@${'ä.'.repeat(60)}de`, notAnEmail],
    [' a@exämple.de', notAnEmail],
  ])('%j %s', (text, fault) => {
    expect(emailFault(text)).toBe(fault)
  })

  test('of 4 MiB is rejected within a moment', () => {
    const startedAtMs = performance.now()
    expect(emailFault(`a@${'ä'.repeat(4 * 1024 * 1024)}`)).toBe(notAnEmail)
    expect(performance.now() - startedAtMs).toBeLessThan(100)
  })
})

describe('the displayed spelling of an email', () => {
  test.each([
    ['mueller@xn--exmple-cua.de', 'mueller@exämple.de (mueller@xn--exmple-cua.de)'],
    ['ada@example.com', 'ada@example.com'],
    ['xn--exmple-cua@example.com', 'xn--exmple-cua@example.com'],
    ['ada@xn--a.com', 'ada@xn--a.com'],
    ['ada@xn---bba.de', 'ada@xn---bba.de'],
    ['ada@xn---bba.xn--bba.de', 'ada@xn---bba.¤.de (ada@xn---bba.xn--bba.de)'],
  ])('of %s is %s', (email, shown) => {
    expect(displayEmail(email)).toBe(shown)
  })

  test('names only domains whose A-labels are the stored ones', () => {
    fc.assert(
      fc.property(fc.oneof(emails, fc.stringMatching(/^a@xn--[a-z0-9-]{1,12}\.de$/)), (email) => {
        const stored = normalizeEmail(email)
        const unicode = unicodeEmail(stored)
        if (unicode !== stored)
          expect(domainToASCII(unicode.slice(unicode.indexOf('@') + 1))).toBe(stored.split('@')[1])
      }),
    )
  })
})

describe('a domain that mixes scripts', () => {
  const cyrillic = [...'абвгдежзиклмнопрстуфхцчшя']
  const latin = [...'abcdefghijklmnopqrstuvwxyz']
  const greek = [...'αβγδεζηθικλμνοπρτυφχψω']
  const word = (letters: readonly string[]) => fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 })

  test.each([
    ['a@аpple.com', true],
    ['a@xn--pple-43d.com', true],
    ['a@gοοgle.com', true],
    ['a@apple.com', false],
    ['a@пример.com', false],
    ['a@exämple.de', false],
    ['a@日本テストabc.jp', false],
    ['a@한국abc.kr', false],
    ['a@яндекс-24.рф', false],
  ])('%s: %s', (email, isMixed) => {
    expect(hasMixedScripts(email)).toBe(isMixed)
  })

  test('is found for every pair of Latin, Cyrillic and Greek letters in one label, in either spelling', () => {
    const pair = fc.constantFrom([latin, cyrillic] as const, [latin, greek] as const, [greek, cyrillic] as const)
    fc.assert(
      fc.property(
        pair.chain(([one, other]) => fc.tuple(word(one), word(other), word(one))),
        ([first, second, third]) => {
          const email = `a@${[...first, ...second, ...third].join('')}.com`
          fc.pre(emailFault(email) === undefined)
          expect([hasMixedScripts(email), hasMixedScripts(normalizeEmail(email))]).toEqual([true, true])
        },
      ),
    )
  })

  test('is not found if each label has one script', () => {
    const label = fc.constantFrom(latin, cyrillic, greek).chain(word)
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (domain) => {
        const email = `a@${domain.map((letters) => letters.join('')).join('.')}`
        expect([hasMixedScripts(email), hasMixedScripts(normalizeEmail(email))]).toEqual([false, false])
      }),
    )
  })

  test('no text makes the check fail', () => {
    fc.assert(fc.property(anyText, (text) => typeof hasMixedScripts(text) === 'boolean'))
  })
})
