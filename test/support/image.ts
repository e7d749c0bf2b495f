import { type ChildProcess, execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installNode, pinnedNode } from './other-node.ts'
import { root } from './recipe.ts'
import { type ServiceProcess, startProcessOfService } from './service-process.ts'

const run = promisify(execFile)

/** Root builds and starts images with these tools of Debian and without a daemon, where the kernel lets it mount. */
export const canBuildImages = process.getuid?.() === 0 && canRun('buildah') && canRun('mmdebstrap') && canMount()

function canRun(tool: string): boolean {
  return spawnSync(tool, ['--version']).status === 0
}

function canMount(): boolean {
  const mount =
    'mount -t tmpfs tmpfs "$1" && cd "$1" && mkdir a b c d && mount -t overlay -o lowerdir=a,upperdir=b,workdir=c overlay d'
  const folder = mkdtempSync(join(tmpdir(), 'muster-mount-'))
  const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-euc', mount, 'mount', folder])
  rmSync(folder, { recursive: true })
  return status === 0
}

export interface BuiltImage {
  /** Digests, the base image's first. */
  readonly layers: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  /** The command that a container runs. */
  readonly command: readonly string[]
  /** As Docker has it: `CMD` and the words of a command. */
  readonly healthCheck: readonly string[]
  /** A container's file system: the merged layers. */
  readonly folder: string
  /** As a registry stores it. */
  readonly compressedBytes: number
}

export interface Images {
  build(options: { readonly embedded: boolean; readonly fresh?: boolean }): Promise<BuiltImage>
  remove(): Promise<void>
}

/** Images in a storage of their own, over a base image that is made of packages of Debian and npm. */
export async function newImages(): Promise<Images> {
  const work = mkdtempSync(join(tmpdir(), 'muster-images-'))
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run')]
  const buildah = async (...args: readonly string[]) => {
    const { stdout } = await run('buildah', [...storage, ...args], { cwd: root, maxBuffer: 2 ** 26 })
    return stdout.trim()
  }
  await makeBase(work, buildah)
  const settings = await npmSettings(work)

  return {
    async build({ embedded, fresh = false }) {
      const name = `localhost/muster:${embedded ? 'embedded' : 'database-url'}${fresh ? '-fresh' : ''}`
      const options = [
        '--isolation',
        'chroot',
        '--pull=never',
        '--format',
        'docker',
        '--timestamp',
        '0',
        '--layers',
        '--quiet',
      ]
      const from = ['--file', 'deploy/Containerfile', '--ignorefile', 'deploy/Containerfile.dockerignore']
      const values = [`NODE_IMAGE=${base}`, 'REVISION=c0ffee', `EMBEDDED=${embedded}`]
      const args = values.flatMap((value) => ['--build-arg', value])
      const cache = fresh ? ['--no-cache'] : []
      await buildah('build', ...options, ...cache, ...from, ...args, ...settings, '--tag', name, '.')
      const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name))
      const { Env, User, Entrypoint, Cmd, Healthcheck } = Docker.config
      const archive = join(work, `${embedded}-${fresh}`)
      await buildah('push', '--quiet', name, `dir:${archive}`)
      const { layers } = JSON.parse(readFileSync(join(archive, 'manifest.json'), 'utf8'))
      await rm(archive, { recursive: true })
      return {
        layers: Docker.rootfs.diff_ids,
        environment: Object.fromEntries(Env.map((entry: string) => /^([^=]+)=(.*)$/s.exec(entry)?.slice(1))),
        user: User,
        command: [...Entrypoint, ...Cmd],
        healthCheck: Healthcheck.Test,
        folder: await buildah('mount', await buildah('from', name)),
        compressedBytes: layers.reduce((sum: number, layer: { size: number }) => sum + layer.size, 0),
      }
    },
    async remove() {
      await buildah('rm', '--all')
      await rm(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
    },
  }
}

const base = 'localhost/node:26'

/** Debian's smallest system with Node and npm: the official image of Node, as far as the Containerfile uses it. */
async function makeBase(work: string, buildah: (...args: readonly string[]) => Promise<string>): Promise<void> {
  const system = join(work, 'system.tar')
  const packages = join(work, 'node')
  await Promise.all([run('bash', ['-euc', debian, 'debian', system]), installNode(pinnedNode, packages)])
  const container = await buildah('from', 'scratch')
  const folder = await buildah('mount', container)
  await run('bash', [
    '-euc',
    install,
    'install',
    folder,
    system,
    join(packages, 'node_modules'),
    `node-${process.platform}-${process.arch}`,
  ])
  await buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
  await buildah('umount', container)
  await buildah('commit', '--quiet', '--rm', container, base)
  await rm(system)
}

/** From where this machine has its packages. */
const debian = `
. /etc/os-release
sources=/etc/apt/sources.list.d/debian.sources
[ -e "$sources" ] || sources=/etc/apt/sources.list
mmdebstrap --quiet --variant=minbase --mode=root "$VERSION_CODENAME" "$1" "$sources"
`

const install = `
tar -xf "$2" -C "$1"
cd "$1/usr/local"
install "$3/$4/bin/node" bin/node
mkdir -p lib/node_modules && cp -a "$3/npm" lib/node_modules/npm
ln -s ../lib/node_modules/npm/bin/npm-cli.js bin/npm
ln -s ../lib/node_modules/npm/bin/npx-cli.js bin/npx
`

/** The registry and the certificates of this machine, which the build uses and the image does not contain. */
async function npmSettings(work: string): Promise<readonly string[]> {
  const setting = async (name: string) => (await run('npm', ['config', 'get', name])).stdout.trim()
  const [registry, authorities] = await Promise.all([setting('registry'), setting('cafile')])
  const file = join(work, 'npmrc')
  const hasAuthorities = authorities !== '' && authorities !== 'null'
  writeFileSync(
    file,
    `registry=${registry}\nupdate-notifier=false\n${hasAuthorities ? 'cafile=/authorities.pem\n' : ''}`,
  )
  const mounts = [`${file}:/root/.npmrc:ro`, ...(hasAuthorities ? [`${authorities}:/authorities.pem:ro`] : [])]
  return mounts.flatMap((mount) => ['--volume', mount])
}

export interface ContainerOptions {
  /** What is mounted at `/data`; nothing where it is left out. */
  readonly data?: string
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string
  /** In place of what the image runs, as `docker exec` has it. */
  readonly command?: readonly string[]
}

/** The words that start a process as a container does: the first of its processes, its user, and nothing to write to but data and /tmp. */
export function containerCommand(
  image: BuiltImage,
  { data = '', user = image.user, command = image.command }: ContainerOptions,
): [string, ...string[]] {
  const isolation = ['--mount', '--pid', '--fork', '--kill-child']
  return [
    'unshare',
    ...isolation,
    'sh',
    '-euc',
    enter,
    'enter',
    image.folder,
    data,
    user,
    `${image.environment.PATH}`,
    ...command,
  ]
}

/** The environment of `containerCommand`, whose own tools are those of this machine; the container gets the image's PATH. */
export function containerEnvironment(image: BuiltImage, { env }: ContainerOptions): Record<string, string | undefined> {
  return { ...image.environment, MUSTER_PORT: '0', ...env, PATH: process.env.PATH }
}

const enter = `
folder=$1 data=$2 user=$3 path=$4; shift 4
mkdir -p "$folder/dev" "$folder/proc" "$folder/sys"
mount --bind "$folder" "$folder"
[ -z "$data" ] || mount --bind "$data" "$folder/data"
mount --rbind /dev "$folder/dev"
mount -t proc proc "$folder/proc"
mount --rbind /sys "$folder/sys" # where limits of memory are
mount -t tmpfs tmpfs "$folder/tmp"
mount -o remount,bind,ro "$folder"
tool=$(command -v unshare)
PATH=$path
exec "$tool" --root="$folder" --wd=/data --setgid="\${user#*:}" --setuid="\${user%:*}" -- "$@"
`

/** A container of the image that serves, and is ready. */
export async function startContainer(image: BuiltImage, options: ContainerOptions): Promise<Container> {
  const env = { ...containerEnvironment(image, options), MUSTER_HOST: '127.0.0.1' }
  const service = await startProcessOfService(env, containerCommand(image, options))
  return {
    ...service,
    async stop() {
      process.kill(firstProcessOf(service.child), 'SIGTERM')
      return service.ended()
    },
  }
}

/** The first process of the container that `child` runs, which its runtime sends signals to. */
export function firstProcessOf({ pid }: ChildProcess): number {
  const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  if (!(first > 1)) throw new Error('the container has ended')
  return first
}

export interface Container extends ServiceProcess {
  /** Sends SIGTERM to it. Its exit code. */
  stop(): Promise<number | null>
}
