import { each, listening, type Peer, post, run, stopProcess } from './peer.ts'

export const betterAuth: Peer = {
  name: 'better-auth',
  packages: { 'better-auth': '1.7.25', pg: '8.23.1' },
  async start({ folder, databaseUrl, port, users }) {
    const child = run({
      folder,
      args: ['better-auth.js'],
      env: { PORT: String(port), DATABASE_URL: databaseUrl, BETTER_AUTH_TELEMETRY: '0' },
    })
    const url = `http://127.0.0.1:${port}/api/auth`
    await listening(child, `${url}/ok`, folder)
    const tokens = await each(users, async (number) => {
      const person = { email: `person${number}@example.com`, password: `password-${number}`, name: `Person ${number}` }
      const { header } = await post(`${url}/sign-up/email`, person, { origin: `http://127.0.0.1:${port}` })
      return header('set-auth-token')
    })
    const callers = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
    return {
      pid: child.pid ?? 0,
      questions: [
        {
          title: 'get-session',
          url: `${url}/get-session`,
          callers,
          proof: 'person1@example.com',
          musterAsks: 'user data',
          target: 15,
        },
      ],
      stop: () => stopProcess(child),
    }
  },
}
