import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { etagOf, matchesEtag } from '../../../src/platform/http/negotiation.ts'

const codings = ['gzip', 'br', 'zstd', 'deflate']
/** Suffixes that compressing proxies add to a tag. */
const suffixes = ['', ...codings.flatMap((coding) => [`-${coding}`, `--${coding}`, `;${coding}`])]
const forms = ['', 'W/'].flatMap((weak) => suffixes.map((suffix) => (tag: string) => `${weak}"${tag}${suffix}"`))

/** Tags like those of `etagOf`, often with an end that looks like a suffix. */
const tags = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'ABab01_-'), minLength: 27, maxLength: 27 }),
    fc.constantFrom(...suffixes),
  )
  .map(([text, end]) => `${text}${end.replace(';', '-')}`.slice(-27))

describe('etagOf', () => {
  test('returns a strong tag of 27 characters that depends on the content only', () => {
    expect(etagOf('{"a":1}')).toMatch(/^"[\w-]{27}"$/)
    expect(etagOf(Buffer.from('{"a":1}'))).toBe(etagOf('{"a":1}'))
    expect(etagOf('{"a":2}')).not.toBe(etagOf('{"a":1}'))
  })
})

describe('matchesEtag', () => {
  test('accepts every form into which a proxy rewrites a tag, alone and in a list', () => {
    fc.assert(
      fc.property(tags, fc.constantFrom(...forms), fc.array(tags), fc.array(tags), (tag, form, before, after) => {
        const sent = form(tag)
        expect(matchesEtag(sent, `"${tag}"`)).toBe(true)
        const list = [...before.map((other) => `"${other}"`), sent, ...after.map((other) => `W/"${other}"`)]
        expect(matchesEtag(list.join(', '), `"${tag}"`)).toBe(true)
        expect(matchesEtag(list.join(','), `"${tag}"`)).toBe(true)
      }),
    )
  })

  test('rejects every form of another tag, even if it differs in one character only', () => {
    fc.assert(
      fc.property(
        tags,
        fc.constantFrom(...forms),
        fc.nat(26),
        fc.constantFrom(...'ABab01_-'),
        (tag, form, at, character) => {
          fc.pre(tag[at] !== character)
          const other = `${tag.slice(0, at)}${character}${tag.slice(at + 1)}`
          expect(matchesEtag(form(other), `"${tag}"`)).toBe(false)
        },
      ),
    )
  })

  const tag = 'abcdefghijklmnopqrstuvwxy-0'
  test.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['`*` in a list', '"another", *'],
    ['the tag without quotes', tag],
    ['a part of the tag', `"${tag.slice(0, -1)}"`],
    ['a longer tag', `"${tag}0"`],
    ['the suffix outside of the quotes', `"${tag}"-gzip`],
    ['an unknown suffix', `"${tag}-lz4"`],
    ['two suffixes', `"${tag}-gzip-gzip"`],
    ['three hyphens', `"${tag}---gzip"`],
    ['a suffix in capitals', `"${tag}-GZIP"`],
    ['a suffix without its coding', `"${tag}-"`],
    ['a small w', `w/"${tag}"`],
    ['two weak prefixes', `W/W/"${tag}"`],
    ['a blank within the quotes', `" ${tag}"`],
    ['single quotes', `'${tag}'`],
  ])('rejects %s', (_, sent) => {
    expect(matchesEtag(sent, `"${tag}"`)).toBe(false)
  })

  test.each(['*', ' * ', `"${tag}"`, ` W/"${tag}" `, `"another",\t"${tag}"`])('accepts %j', (sent) => {
    expect(matchesEtag(sent, `"${tag}"`)).toBe(true)
  })
})
