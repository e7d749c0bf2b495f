import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { listSettings, readConfig } from '../../src/config.ts'
import { allContracts } from '../../src/contracts.ts'
import { packageVersion } from '../../src/platform/package-root.ts'
import { textFiles } from '../../tools/release/version.js'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const textOf = (path: string) => readFileSync(join(deploy, path), 'utf8')
const Words = Type.Array(Type.String())
const Texts = Type.Record(Type.String(), Type.String())

const containerfile = textOf('Containerfile')
const caddyfile = textOf('compose/Caddyfile')

const Probe = Type.Object({
  httpGet: Type.Object({ path: Type.String(), port: Type.String() }),
  periodSeconds: Type.Number(),
  failureThreshold: Type.Number(),
})
const Compose = Type.Object({
  services: Type.Object({
    muster: Type.Object({
      environment: Texts,
      secrets: Words,
      depends_on: Type.Object({ postgres: Type.Object({ condition: Type.Literal('service_healthy') }) }),
      volumes: Words,
      read_only: Type.Literal(true),
      stop_grace_period: Type.String({ pattern: '^\\d+s$' }),
    }),
    postgres: Type.Object({ image: Type.String(), environment: Texts, secrets: Words }),
    caddy: Type.Object({
      depends_on: Type.Object({ muster: Type.Object({ condition: Type.Literal('service_healthy') }) }),
    }),
  }),
  networks: Type.Object({
    front: Type.Object({ ipam: Type.Object({ config: Type.Array(Type.Object({ subnet: Type.String() })) }) }),
  }),
  volumes: Type.Record(Type.String(), Type.Null()),
  secrets: Type.Record(Type.String(), Type.Object({ file: Type.String() })),
})
const Pod = Type.Object({
  enableServiceLinks: Type.Literal(false),
  automountServiceAccountToken: Type.Literal(false),
  terminationGracePeriodSeconds: Type.Number(),
  securityContext: Type.Object({
    runAsNonRoot: Type.Literal(true),
    runAsUser: Type.Number(),
    runAsGroup: Type.Number(),
    fsGroup: Type.Number(),
    seccompProfile: Type.Object({ type: Type.Literal('RuntimeDefault') }),
  }),
  containers: Type.Tuple([
    Type.Object({
      ports: Type.Tuple([Type.Object({ name: Type.Literal('http'), containerPort: Type.Number() })]),
      env: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      startupProbe: Probe,
      readinessProbe: Probe,
      livenessProbe: Probe,
      securityContext: Type.Object({
        allowPrivilegeEscalation: Type.Literal(false),
        readOnlyRootFilesystem: Type.Literal(true),
        capabilities: Type.Object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
      }),
      volumeMounts: Type.Array(Type.Object({ name: Type.String(), mountPath: Type.String() })),
    }),
  ]),
  volumes: Type.Array(Type.Object({ name: Type.String() })),
})
const Selector = Type.Object({ matchLabels: Type.Object({ 'app.kubernetes.io/name': Type.Literal('muster') }) })
const Deployment = Type.Object({
  spec: Type.Object({ replicas: Type.Literal(2), selector: Selector, template: Type.Object({ spec: Pod }) }),
})
const Policy = Type.Object({
  spec: Type.Object({
    podSelector: Selector,
    ingress: Type.Tuple([Type.Object({ ports: Type.Tuple([Type.Object({ port: Type.Number() })]) })]),
  }),
})
const Budget = Type.Object({ spec: Type.Object({ minAvailable: Type.Literal(1), selector: Selector }) })

const compose = checked(Compose, parse(textOf('compose/compose.yaml')))
const manifests = parseAllDocuments(textOf('kubernetes/base/muster.yaml')).map((document) => {
  expect(document.errors).toEqual([])
  return document.toJS()
})
const pod = checked(Deployment, manifestOf('Deployment')).spec.template.spec
const [container] = pod.containers
const unit = unitOf('systemd/muster.service')
const dropIn = unitOf('systemd/postgresql.conf')

/** The environment that each deployment sets, and where it puts files with secrets. */
const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  container: imageEnvironment(),
  systemd: environmentOf(unit),
  'systemd with PostgreSQL': { ...environmentOf(unit), ...environmentOf(dropIn) },
  compose: { ...imageEnvironment(), ...compose.services.muster.environment },
  kubernetes: {
    ...imageEnvironment(),
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  },
}

test.each(Object.keys(environments))(
  '%s: the service accepts the environment, with the secrets in their files',
  (name) => {
    const settings = listSettings()
    const known = new Set([...settings.map((setting) => setting.name), 'NODE_ENV', 'PATH'])
    for (const { name, isSecret } of settings) if (isSecret) known.add(`${name}_FILE`)
    const folder = madeSecrets()
    const environment = environments[name] ?? {}
    const entries = Object.entries(environment).map(([variable, value]) => {
      expect(known, variable).toContain(variable)
      if (!variable.endsWith('_FILE'))
        return [variable, value.replace(/\$\{\w+:-(.*)\}/, '$1').replace(/\$\{\w+:\?.*\}/, 'muster.example.com')]
      return [variable, join(folder, value.split('/').at(-1) ?? '')]
    })
    // Only within one machine is the database reached without TLS.
    const url = readFileSync(join(folder, 'database-url'), 'utf8')
    if (name !== 'compose') {
      chmodSync(join(folder, 'database-url'), 0o600)
      writeFileSync(join(folder, 'database-url'), `${url}?sslmode=verify-full`)
    }
    const config = readConfig(Object.fromEntries(entries))
    if ('DATABASE_URL_FILE' in environment) expect(config.issuer.firstAdmin.password).toBeDefined()
  },
)

/** Runs make-secrets.sh in a temporary directory. A second run must change nothing. */
function madeSecrets(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(deploy, 'compose/make-secrets.sh'), join(folder, 'make-secrets.sh'))
  const made = [0, 1].map(() => {
    expect(spawnSync('bash', [join(folder, 'make-secrets.sh')])).toMatchObject({ status: 0 })
    return readdirSync(join(folder, 'secrets')).map((file) => readFileSync(join(folder, 'secrets', file), 'utf8'))
  })
  expect(made[1]).toEqual(made[0])
  return join(folder, 'secrets')
}

test('every secret file is mounted where its setting names it, and created by a documented command', () => {
  const { muster, postgres } = compose.services
  const ofCompose = filesOf(environments.compose)
  expect(ofCompose.map((path) => path.replace('/run/secrets/', '')).sort()).toEqual([...muster.secrets].sort())
  const script = textOf('compose/make-secrets.sh')
  for (const name of [...muster.secrets, ...postgres.secrets]) {
    expect(compose.secrets[name]?.file).toBe(`./secrets/${name}`)
    expect(script).toMatch(new RegExp(`^make ${name} `, 'm'))
  }
  expect(postgres.environment.POSTGRES_PASSWORD_FILE).toBe('/run/secrets/database-password')

  const command = textOf('kubernetes/base/muster.yaml').split('apiVersion', 1).join()
  for (const path of filesOf(environments.kubernetes)) {
    expect(path).toMatch(/^\/run\/secrets\/muster\//)
    expect(command).toContain(`--from-file=${path.replace('/run/secrets/muster/', '')}`)
  }
  expect(container.volumeMounts).toContainEqual(expect.objectContaining({ mountPath: '/run/secrets/muster' }))

  const credentials = valuesOf(dropIn, 'LoadCredential').map((value) => value.split(':')[0])
  expect(filesOf(environmentOf(dropIn))).toEqual(credentials.map((name) => `%d/${name}`))
})

test('ports, users, directories and the program path agree with each other and with the defaults of the service', () => {
  const port = Number(listSettings().find(({ name }) => name === 'MUSTER_PORT')?.fallback)
  expect(containerfile).toContain(`\nEXPOSE ${port}\n`)
  expect(containerfile).toContain(`fetch('http://127.0.0.1:${port}/readyz')`)
  expect(caddyfile).toContain(`reverse_proxy muster:${port} {`)
  expect(container.ports[0].containerPort).toBe(port)
  expect(checked(Policy, manifestOf('NetworkPolicy')).spec.ingress[0].ports[0].port).toBe(port)
  expect(compose.services.muster.environment.MUSTER_TRUSTED_PROXIES).toBe(compose.networks.front.ipam.config[0]?.subnet)

  const { runAsUser, runAsGroup, fsGroup } = pod.securityContext
  expect(containerfile).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`)
  expect(textOf('make-system.sh')).toContain(
    `'muster:x:${runAsUser}:${runAsGroup}:muster:${imageEnvironment().MUSTER_DATA_DIR}:/nonexistent'`,
  )
  expect(fsGroup).toBe(runAsGroup)

  const folder = imageEnvironment().MUSTER_DATA_DIR
  expect(containerfile).toContain(`\nVOLUME ${folder}\n`)
  expect(compose.services.muster.volumes).toEqual([`muster-data:${folder}`])
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining([folder, '/tmp']))
  expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(pod.volumes.map(({ name }) => name).sort())
  expect(environmentOf(unit).MUSTER_DATA_DIR).toBe(`/var/lib/${valuesOf(unit, 'StateDirectory')[0]}`)
  expect(valuesOf(unit, 'ExecStart')).toEqual([
    '/usr/bin/node /opt/muster/node_modules/@muster/server/dist/bundle/main.cjs',
  ])
  checked(Budget, manifestOf('PodDisruptionBudget'))
})

test('probes call operations of the contract, and draining lasts longer than the probes need to notice', () => {
  const { startupProbe, readinessProbe, livenessProbe } = container
  const paths = allContracts.map(({ method, path }) => `${method} ${path}`)
  for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
    expect(paths).toContain(`GET ${httpGet.path}`)
    expect(httpGet.port).toBe(container.ports[0].name)
  }
  expect(caddyfile).toContain('health_uri /readyz')
  expect(caddyfile).toContain('respond /metrics 404')
  const seconds = (name: string) => Number(listSettings().find((setting) => setting.name === name)?.fallback)
  const lameDuck = seconds('MUSTER_LAME_DUCK_SECONDS')
  expect(readinessProbe.httpGet.path).toBe('/readyz')
  expect(livenessProbe.httpGet.path).toBe('/livez')
  expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(lameDuck)
  // docs/monitoring.md: a supervisor waits for the sum of both settings plus 15 s.
  const needed = lameDuck + seconds('MUSTER_DRAIN_SECONDS') + 15
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed)
  expect(Number.parseInt(compose.services.muster.stop_grace_period, 10)).toBeGreaterThan(needed)
  expect(Number(valuesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(needed)
  // Otherwise systemd would stop PostgreSQL while the service still handles requests.
  expect(valuesOf(unit, 'KillMode')).toEqual(['mixed'])
})

test.each(['haproxy.cfg', 'nginx.conf', 'Caddyfile'])(
  '%s has two nodes on the usual port, and hides /metrics',
  (file) => {
    const text = textOf(`proxies/${file}`)
    const port = listSettings().find(({ name }) => name === 'MUSTER_PORT')?.fallback
    for (const node of ['10.0.0.1', '10.0.0.2']) expect(text).toContain(`${node}:${port}`)
    expect(text).toMatch(/metrics/)
    expect(text).toContain('MUSTER_TRUSTED_PROXIES')
  },
)

test('the image build copies files that exist, and everything that the package consists of', () => {
  const kept = textOf('Containerfile.dockerignore').match(/(?<=^!).+$/gm) ?? []
  for (const path of kept) expect(existsSync(join(deploy, '..', path)), path).toBe(true)
  const program = readFileSync(join(deploy, '../scripts/package.js'), 'utf8')
  const [, list = ''] = /const files = \[(.*?)\]/s.exec(program) ?? []
  for (const [, path = ''] of list.matchAll(/'([^']+)'/g))
    if (!path.startsWith('dist/'))
      expect(
        kept.some((known) => path === known || path.startsWith(`${known}/`)),
        path,
      ).toBe(true)
  expect(kept).not.toContain('.git')
})

test.runIf(spawnSync('systemd-analyze', ['--version']).status === 0)(
  'systemd rates the exposure of the unit at 2.0 or less',
  () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', join(deploy, 'systemd/muster.service')]
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect({ status, rating: /Overall exposure level.*/.exec(stdout)?.[0] }).toMatchObject({ status: 0 })
  },
)

test('commands and manifests name the current version', () => {
  for (const path of textFiles) {
    const text = readFileSync(join(deploy, '..', path), 'utf8')
    const named = [...text.matchAll(/(?:muster-server-|muster:|newTag: )(\d+\.\d+\.\d+)/g)].map(
      ([, version]) => version,
    )
    expect([...new Set(named)], path).toEqual([packageVersion()])
  }
})

function checked<const Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  return Value.Parse(schema, value)
}

function manifestOf(kind: string): unknown {
  return manifests.find((manifest) => manifest.kind === kind)
}

/** The lines of a unit as name and value. */
function unitOf(path: string): readonly (readonly [string, string])[] {
  return [...textOf(path).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const)
}

function valuesOf(lines: ReturnType<typeof unitOf>, wanted: string): string[] {
  return lines.filter(([name]) => name === wanted).map(([, value]) => value)
}

function environmentOf(lines: ReturnType<typeof unitOf>): Record<string, string> {
  const pairs = valuesOf(lines, 'Environment').map((text) => /^(\w+)=(.*)$/.exec(text) ?? [])
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

function imageEnvironment(): Record<string, string> {
  const [, lines = ''] = /\nENV ((?:.*\\\n)*.*)\n/.exec(containerfile) ?? []
  return Object.fromEntries([...lines.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
}

function filesOf(environment: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (name.endsWith('_FILE') ? [value] : []))
}
