import { vi } from 'vitest'

// Tests send the same few passwords again and again, and each comparison takes 20 ms of a core. Its result depends on the hash and the
// password alone, so each pair is compared once per worker.
vi.mock('@node-rs/argon2', async (load) => {
  const library = await load<typeof import('@node-rs/argon2')>()
  const results = new Map<string, Promise<boolean>>()
  return {
    ...library,
    verify(...[stored, password, ...rest]: Parameters<typeof library.verify>) {
      const pair = `${stored} ${password}`
      const result = results.get(pair) ?? library.verify(stored, password, ...rest)
      results.set(pair, result)
      return result
    },
  }
})
