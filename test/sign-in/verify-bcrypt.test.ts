import { expect, test } from 'vitest'
import { verifyBcrypt } from '../../src/sign-in/passwords/passwords.ts'

/** Made by another implementation, @node-rs/bcrypt 2.0.0. */
const hashes = [
  ['correct horse battery', '$2b$04$x0dB.1HtDb7G2gAK.ZhZWeQwI0BVxhQwfLRYvbE3kEvwpWuhHSr7C'],
  ['Zürich–東京 🐢 pässword', '$2b$04$EcvuFVdzlQmP2isvw3JhX.KQSzZl6tDPKI4mMtAvnx5QrwYgcH2HS'],
  // bcrypt hashes 72 bytes; the last character is the 73rd.
  [`${'x'.repeat(72)}y`, '$2b$04$/ug8XlYWUCax8jYgV5MHEe5B0ptVCcrNEMi.jgpTxeRgi8HJv49Dy'],
] as const

test.each(['2a', '2b', '2y'])('verifies a hash of another implementation as $%s$', async (prefix) => {
  for (const [password, hash] of hashes) {
    const stored = hash.replace('$2b$', `$${prefix}$`)
    expect(await Promise.all([password, `y${password}`].map((tried) => verifyBcrypt(stored, tried)))).toEqual([
      true,
      false,
    ])
  }
})

test('the event loop continues while a slow hash is verified', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await verifyBcrypt(hashes[0][1].replace('$04$', '$12$'), hashes[0][0]).finally(() => {
    isDone = true
  })
  // In the main thread the event loop would turn only a few times, even if the work were split into 100 ms parts.
  expect(turns).toBeGreaterThan(100)
})
