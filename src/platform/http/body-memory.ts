import type { ServerResponse } from 'node:http'
import { refuse } from '../problems.ts'
import type { Caller } from './caller.ts'
import { networkOf } from './client-address.ts'

/** Larger bodies share the memory limits below. */
export const largeBytes = 65_536

/**
 * Memory limits for large bodies in one process, in bytes. Until its response is complete, a body counts with its Content-Length, or with
 * its operation's limit if it is chunked. Large bodies without a token are payment events of at most 256 KiB.
 */
const memory = {
  all: 33_554_432,
  network: 16_777_216,
  caller: 8_388_608,
  allWithoutToken: 8_388_608,
  networkWithoutToken: 2_097_152,
} as const

const retryAfterSeconds = 5

export interface BodySender {
  /** Undefined if the operation requires no token. */
  readonly caller: Caller | undefined
  readonly address: string
}

/** Counts a body until its response closes. Problem: `overloaded`, if the sender, its network or all senders exceed a limit. */
export type HoldMemory = (sender: BodySender, bytes: number, response: ServerResponse) => void

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
    if (response.closed) return // the caller has disconnected
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

function sharesOf({ caller, address }: BodySender): readonly Share[] {
  const all = { key: 'all', bytesMax: memory.all }
  const network = `network ${networkOf(address)}`
  if (caller)
    return [all, { key: network, bytesMax: memory.network }, { key: `caller ${caller.key}`, bytesMax: memory.caller }]
  return [
    all,
    { key: 'without token', bytesMax: memory.allWithoutToken },
    { key: `without token, ${network}`, bytesMax: memory.networkWithoutToken },
  ]
}
