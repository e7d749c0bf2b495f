import type { FloorOrder } from './floor-program.ts'
import type { Measured } from './pairs.ts'
import { startWorker } from './worker.ts'

/** A raw `node:http` server that answers `body` with `headers`. */
export async function startFloor(
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Measured & { stop(): void }> {
  const { pid, ask, stop } = startWorker<FloorOrder, number>('harness/floor-program.js', 'measured')
  const port = await ask({ body, headers })
  return { url: `http://127.0.0.1:${port}`, pid, stop }
}
