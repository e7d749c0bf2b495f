import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './client.ts'
import { freePort } from './free-port.ts'
import type { Stage } from './stage.ts'

/** HAProxy, until the stage is closed. */
interface Haproxy {
  /** The servers in use of a backend or listener. */
  up(backend: string): Promise<number>
}

/** Started with this configuration, and with a status page on a separate port. */
export async function startHaproxy(stage: Stage, configuration: string): Promise<Haproxy> {
  const statusPort = await freePort()
  const path = join(stage.folder, 'haproxy.cfg')
  const status = `frontend status\n  bind 127.0.0.1:${statusPort}\n  stats enable\n  stats uri /\n`
  await writeFile(path, `${configuration.trimEnd()}\n\n${status}`)
  const child = spawn('haproxy', ['-f', path, '-db'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  stage.onEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    async up(backend) {
      const answer = await ask(`http://127.0.0.1:${statusPort}/;csv`).catch(() => undefined)
      const lines = answer?.text.split('\n') ?? []
      return lines.filter(
        (line) => /,(FRONTEND|BACKEND),/.exec(line) === null && line.startsWith(`${backend},`) && line.includes(',UP,'),
      ).length
    },
  }
}
