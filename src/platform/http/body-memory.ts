import type { ServerResponse } from 'node:http'
import { refuse } from '../problems.ts'
import { networkOf } from '../rate-limit/network.ts'
import { type Caller, counterKeyOf } from './caller.ts'

/** Bodies above this size are large: they share the memory below. */
export const largeBytes = 65_536

/**
 * Memory for large bodies of one process, in bytes. A body counts with its Content-Length, or with the limit of its operation if it is sent
 * in chunks, until its response is complete. Large bodies without a token are payment events, of at most 256 KiB.
 */
const memory = {
  all: 33_554_432,
  network: 16_777_216,
  caller: 8_388_608,
  allWithoutToken: 8_388_608,
  networkWithoutToken: 2_097_152,
} as const

/** A large body is usually read within a second. */
const retryAfterSeconds = 5

export interface Sender {
  /** Undefined if the operation needs no token. */
  readonly caller: Caller | undefined
  readonly address: string
}

/** Problem: `overloaded`, if the sender, the network or all senders together hold too much. */
export type HoldMemory = (sender: Sender, bytes: number, response: ServerResponse) => void

/** Limits how much memory large bodies hold, so that one caller or network leaves room for others. */
export function createBodyMemory(): HoldMemory {
  const held = new Map<string, number>()

  function add(shares: readonly Share[], bytes: number): void {
    for (const { key } of shares) {
      const sum = (held.get(key) ?? 0) + bytes
      if (sum === 0) held.delete(key)
      else held.set(key, sum)
    }
  }

  return (sender, bytes, response) => {
    if (response.closed) return // the caller is gone, and no byte will arrive
    const shares = sharesOf(sender)
    if (shares.some(({ key, bytesMax }) => (held.get(key) ?? 0) + bytes > bytesMax))
      refuse('overloaded', { detail: 'Too many large bodies are in progress.', retryAfterSeconds })
    add(shares, bytes)
    response.once('close', () => add(shares, -bytes))
  }
}

interface Share {
  readonly key: string
  readonly bytesMax: number
}

function sharesOf({ caller, address }: Sender): readonly Share[] {
  const all = { key: 'all', bytesMax: memory.all }
  const network = `network ${networkOf(address)}`
  if (caller)
    return [
      all,
      { key: network, bytesMax: memory.network },
      { key: `caller ${counterKeyOf(caller)}`, bytesMax: memory.caller },
    ]
  return [
    all,
    { key: 'without token', bytesMax: memory.allWithoutToken },
    { key: `without token, ${network}`, bytesMax: memory.networkWithoutToken },
  ]
}
