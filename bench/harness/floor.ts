import { once } from 'node:events'
import { join } from 'node:path'
import type { Measured } from './pairs.ts'
import { cpuMsOf, spawnNode } from './process.ts'

/** A raw `node:http` server that answers `body`. */
export async function startFloor(body: string): Promise<Measured & { stop(): void }> {
  const child = spawnNode('measured', [join(import.meta.dirname, 'floor-program.js'), body], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, cpuMs: () => cpuMsOf(child.pid ?? 0), stop: () => void child.kill() }
}
