import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml } from '../../engine/xml.ts'

test('an element becomes its text, or its attributes and elements by name; repeated ones become a list', () => {
  const text = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response">
  <Errors><Error Number="1011102">API Key is &quot;invalid&quot; &amp; unknown</Error></Errors>
  <Zone>a</Zone><Zone>b</Zone><Empty /><ns:Inner xmlns:ns="x">c</ns:Inner>
</ApiResponse>
`
  expect(readXml(text)).toEqual({
    ApiResponse: {
      '@Status': 'ERROR',
      Errors: { Error: { '@Number': '1011102', '#text': 'API Key is "invalid" & unknown' } },
      Zone: ['a', 'b'],
      Empty: '',
      Inner: 'c',
    },
  })
})

test.each([
  ['nothing', ''],
  ['no element', 'text'],
  ['two roots', '<a/><b/>'],
  ['an element that is not closed', '<a><b></a>'],
  ['an end tag without a start tag', '</a>'],
  ['a text after the root', '<a/>x'],
  ['a document type', '<!DOCTYPE a><a/>'],
  ['a custom entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['an unknown entity', '<a>&b;</a>'],
  ['a processing instruction inside', '<a><?b?></a>'],
  ['CDATA', '<a><![CDATA[b]]></a>'],
  ['a comment', '<a><!-- b --></a>'],
  ['an attribute without quotes', '<a b=c></a>'],
  ['seventeen levels', `${'<a>'.repeat(17)}${'</a>'.repeat(17)}`],
])('rejects %s', (_, text) => {
  expect(readXml(text)).toBeUndefined()
})

test('readXml never throws, hangs or pollutes a prototype, whatever the text', () => {
  const piece = fc.constantFrom('<', '>', '</', '/>', 'a', '__proto__', ' ', '="', '"', '&amp;', '&', '<?xml', '!')
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
  fc.assert(fc.property(text, (xml) => void readXml(xml)))
  for (const long of ['<a '.repeat(20_000), `<a${' b="c"'.repeat(9_000)}`, ' '.repeat(65_000)])
    expect(readXml(long)).toBeUndefined()
  const odd = readXml('<a><__proto__><polluted>x</polluted></__proto__></a>')
  expect(JSON.stringify(odd)).toBe('{"a":{"__proto__":{"polluted":"x"}}}')
  expect({}).not.toHaveProperty('polluted')
})

test('reads 50,000 different elements or attributes in linear time', () => {
  const names = Array.from({ length: 50_000 }, (_, n) => `e${n}`)
  const elements = Object(readXml(`<a>${names.map((name) => `<${name}/>`).join('')}</a>`))
  // Compared as one text: comparing the lists name by name takes seconds.
  expect(Object.keys(elements.a).join() === names.join()).toBe(true)
  const attributes = Object(readXml(`<a ${names.map((name) => `${name}=""`).join(' ')}/>`))
  expect(Object.keys(attributes.a)).toHaveLength(names.length)
})

test('reads the five predefined entities', () => {
  expect(readXml('<a>&amp;&lt;&gt;&quot;&apos;</a>')).toEqual({ a: `&<>"'` })
})
