import { startChild } from './child.ts'
import type { FloorOrder } from './floor-program.ts'
import type { Measured } from './pairs.ts'

/** A server that answers `body` with `headers` and does nothing else. */
export async function startFloor(order: FloorOrder): Promise<Measured & { stop(): void }> {
  const { pid, ask, stop } = startChild<FloorOrder, number>('harness/floor-program.js', { core: 'measured' })
  const port = await ask(order)
  return { url: `http://127.0.0.1:${port}`, pid, stop }
}
