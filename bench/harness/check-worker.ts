import { bareCall, distinctTokens, engineCall, runSlice } from './check-calls.ts'

/**
 * The engine and a bare pool in one process, taking turns on request: node check-worker.js BASE_URL. What the code of one warms up,
 * the other finds warm.
 */
const baseUrl = process.argv[2] ?? ''
const token = distinctTokens()
const sides = { bare: bareCall(baseUrl, token), ours: await engineCall(baseUrl, token) }

process.on('message', async ({ side, atOnce, forMs }: { side: keyof typeof sides; atOnce: number; forMs: number }) => {
  process.send?.(await runSlice(sides[side].call, atOnce, forMs))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
