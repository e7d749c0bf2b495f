import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.ts'
import { freePort } from '../../test/support/free-port.ts'
import type { Stage } from './stage.ts'

/** A proxy with its file in deploy/proxies, which is used unchanged except for addresses and TLS. */
export interface ReverseProxy {
  readonly title: string
  readonly program: string
  readonly file: string
  /** The file for callers on this port, with the surrounding configuration. */
  configure(text: string, port: number, folder: string): string
  /** What an operator adds below the line that it starts with, so that the proxy compresses JSON. */
  readonly compression: readonly [below: string, lines: string]
  arguments(path: string, folder: string): readonly string[]
}

export const haproxy: ReverseProxy = {
  title: 'HAProxy',
  program: 'haproxy',
  file: 'haproxy.cfg',
  configure: (text, port) => replaced(text, /bind :443 .*/, `bind 127.0.0.1:${port}`),
  compression: ['backend muster\n', '  compression algo gzip\n  compression type application/json text/html\n'],
  arguments: (path) => ['-f', path, '-db'],
}

export const nginx: ReverseProxy = {
  title: 'nginx',
  program: 'nginx',
  file: 'nginx.conf',
  configure(text, port, folder) {
    const site = replaced(replaced(text, /listen 443 .*/, `listen 127.0.0.1:${port};`), /\n +ssl_certificate.*\n.*/, '')
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/nginx;`,
    )
    return `pid ${folder}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${site}}\n`
  },
  compression: ['  location / {\n', '    gzip on;\n    gzip_types application/json;\n    gzip_proxied any;\n'],
  arguments: (path, folder) => ['-c', path, '-e', join(folder, 'nginx.log'), '-g', 'daemon off;'],
}

export const caddy: ReverseProxy = {
  title: 'Caddy',
  program: 'caddy',
  file: 'Caddyfile',
  configure: (text, port) =>
    `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${replaced(text, /muster\.example\.com \{/, `http://127.0.0.1:${port} {`)}`,
  compression: ['\trespond /metrics 404\n', '\tencode {\n\t\tgzip\n\t\tminimum_length 1\n\t}\n'],
  arguments: (path) => ['run', '--config', path, '--adapter', 'caddyfile'],
}

function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`The file has no ${what}`)
  return text.replace(what, by)
}

export function isInstalled({ program }: ReverseProxy): boolean {
  return spawnSync(program, [program === 'caddy' ? 'version' : '-v']).status === 0
}

/** Starts it in front of two nodes and returns its address. */
export async function startProxy(
  stage: Pick<Stage, 'folder' | 'onEnd'>,
  proxy: ReverseProxy,
  [a = '', b = '']: readonly string[],
  { compresses = false } = {},
): Promise<string> {
  const port = await freePort()
  const shipped = readFileSync(join(packageRoot(), 'deploy/proxies', proxy.file), 'utf8')
  const [below, lines] = proxy.compression
  const text = compresses ? replaced(shipped, new RegExp(below), `${below}${lines}`) : shipped
  const path = join(stage.folder, proxy.file)
  await mkdir(join(stage.folder, 'nginx'), { recursive: true })
  const configured = proxy.configure(text, port, stage.folder)
  await writeFile(path, configured.replace('10.0.0.1:4600', a).replace('10.0.0.2:4600', b))
  // Caddy keeps its certificate data in its user's home.
  const env = { PATH: process.env.PATH, HOME: stage.folder }
  const child = spawn(proxy.program, proxy.arguments(path, stage.folder), { stdio: 'ignore', env })
  const exited = once(child, 'exit')
  stage.onEnd(async () => {
    child.kill('SIGTERM')
    await exited
  })
  return `http://127.0.0.1:${port}`
}
