import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newServiceKey, serviceKeyHash } from '../../src/identity/service-key.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('a key is msk_, 43 characters of Base62 and 6 of a CRC-32 checksum, and is stored as its SHA-256', () => {
  for (let n = 0; n < 50; n += 1) {
    const { key, hash, hint } = newServiceKey()
    const text = key.open()
    expect(text).toMatch(/^msk_[0-9A-Za-z]{49}$/)
    const sum = [...text.slice(-6)].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0)
    expect(sum).toBe(crc32(text.slice(0, -6)))
    expect(hash).toEqual(createHash('sha256').update(text).digest())
    expect(serviceKeyHash(text)).toEqual(hash)
    expect(text.startsWith(hint) && hint.length).toBe(8)
    expect(`${key} ${JSON.stringify({ key })}`).not.toContain(text)
  }
})

test('rejects a key with one changed character, two swapped characters, or another length', () => {
  const key = newServiceKey().key.open()
  const place = fc.integer({ min: 0, max: key.length - 1 })
  fc.assert(
    fc.property(place, fc.constantFrom(...digits), (at, digit) => {
      const changed = key.slice(0, at) + digit + key.slice(at + 1)
      expect(serviceKeyHash(changed) === undefined).toBe(changed !== key)
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: key.length - 2 }), (at) => {
      const exchanged = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)
      expect(serviceKeyHash(exchanged) === undefined).toBe(exchanged !== key)
    }),
  )
  for (const other of [key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toLowerCase(), 'msk_'])
    expect(serviceKeyHash(other)).toBeUndefined()
})
