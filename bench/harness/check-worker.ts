import { bareCall, distinctTokens, engineCall, runSlice, type SliceOrder } from './check-calls.ts'

/**
 * The engine and a bare pool in one process, which take turns on request: node check-worker.js BASE_URL. Each uses the code that the other
 * has warmed up.
 */
const baseUrl = process.argv[2] ?? ''
const token = distinctTokens()
const sides = { bare: bareCall(baseUrl, token), ours: await engineCall(baseUrl, token) }

process.on('message', async ({ side, atOnce, forMs }: SliceOrder) => {
  process.send?.(await runSlice(sides[side].call, atOnce, forMs))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
