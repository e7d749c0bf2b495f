import { createRequire } from 'node:module'

type Verify = typeof import('@node-rs/argon2').verify

// Tests send the same few passwords again and again, and each comparison takes 20 ms of a core. Its result depends on the hash and the
// password alone, so each pair is compared once per worker. The library is loaded here first: later imports get the replaced function.
const library: { verify: Verify } = createRequire(import.meta.url)('@node-rs/argon2')
const { verify } = library
const results = new Map<string, Promise<boolean>>()
const readers = new Set<(stored: string) => void>()

library.verify = (...[stored, password, ...rest]: Parameters<Verify>) => {
  for (const read of readers) read(String(stored))
  const pair = `${stored} ${password}`
  const result = results.get(pair) ?? verify(stored, password, ...rest)
  results.set(pair, result)
  return result
}

/** Calls `read` with the hash of every comparison, until the returned function is called. */
export function watchComparisons(read: (stored: string) => void): () => void {
  readers.add(read)
  return () => readers.delete(read)
}
