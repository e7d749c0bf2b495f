import { each, ended, listening, type Peer, type PeerPlace, post, run, stopProcess, textAt } from './peer.ts'

const admin = { email: 'admin@example.com', password: 'password-of-no-worth' }
const cli = 'node_modules/directus/cli.js'

export const directus: Peer = {
  name: 'directus',
  packages: { directus: '11.3.5' },
  async start(place) {
    const env = environment(place)
    const { folder, port, users } = place
    const bootstrap = run({ folder, args: [cli, 'bootstrap'], env })
    if ((await ended(bootstrap)) !== 0) throw new Error('directus bootstrap failed: see server.log in its folder')
    const child = run({ folder, args: [cli, 'start'], env })
    const url = `http://127.0.0.1:${port}`
    await listening(child, `${url}/server/ping`, folder)
    const bearer = { authorization: `Bearer ${await signIn(url, admin)}` }
    const people = await signUp(url, users, bearer)
    const tokens = await each(users, async (number) => signIn(url, people[number - 1] ?? admin))
    const callers = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
    return {
      pid: child.pid ?? 0,
      questions: [
        {
          title: '/users/me',
          url: `${url}/users/me`,
          callers,
          proof: 'person1@example.com',
          musterAsks: 'user data',
          target: 40,
        },
        {
          title: '/users, 100',
          url: `${url}/users?limit=100`,
          callers: [bearer],
          proof: '@example.com',
          connections: 8,
          musterAsks: 'admin page',
        },
      ],
      stop: () => stopProcess(child),
    }
  },
}

function environment({ databaseUrl, port }: PeerPlace): Readonly<Record<string, string>> {
  return {
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    SECRET: 'bench-secret-of-no-worth-0123456789abcdef',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ACCESS_TOKEN_TTL: '1d',
    TELEMETRY: 'false',
    RATE_LIMITER_ENABLED: 'false',
    RATE_LIMITER_GLOBAL_ENABLED: 'false',
    // Otherwise it answers 503 under full load, when its event loop is late.
    PRESSURE_LIMITER_ENABLED: 'false',
    // Only for the set-up: the measurement verifies no password.
    HASH_MEMORY_COST: '1024',
    HASH_TIME_COST: '2',
  }
}

/** Users with a role and access to the application, like ordinary users. */
async function signUp(url: string, users: number, bearer: Readonly<Record<string, string>>) {
  const policy = textAt(
    (await post(`${url}/policies`, { name: 'Person', app_access: true }, bearer)).json,
    'data',
    'id',
  )
  const role = textAt(
    (await post(`${url}/roles`, { name: 'Person', policies: [{ policy }] }, bearer)).json,
    'data',
    'id',
  )
  const people = Array.from({ length: users }, (_, index) => ({
    email: `person${index + 1}@example.com`,
    password: `password-${index + 1}`,
    role,
    first_name: 'Person',
    last_name: String(index + 1),
  }))
  for (let from = 0; from < users; from += 100) await post(`${url}/users`, people.slice(from, from + 100), bearer)
  return people
}

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<string> {
  return textAt((await post(`${url}/auth/login`, { email, password })).json, 'data', 'access_token')
}
