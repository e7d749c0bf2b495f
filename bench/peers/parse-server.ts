import { each, listening, type Peer, post, run, stopProcess, textAt } from './peer.ts'

const application = { 'x-parse-application-id': 'bench' }

export const parseServer: Peer = {
  name: 'parse-server',
  packages: { 'parse-server': '9.10.0', express: '5.2.1' },
  async start({ folder, databaseUrl, port, users }) {
    const child = run({ folder, args: ['parse-server.js'], env: { PORT: String(port), DATABASE_URL: databaseUrl } })
    const url = `http://127.0.0.1:${port}/parse`
    await listening(child, `${url}/health`, folder)
    const tokens = await each(users, async (number) => {
      const name = `person${number}`
      const person = { username: name, email: `${name}@example.com`, password: `password-${number}` }
      return textAt((await post(`${url}/users`, person, application)).json, 'sessionToken')
    })
    const callers = tokens.map((token) => ({ ...application, 'x-parse-session-token': token }))
    return {
      pid: child.pid ?? 0,
      questions: [
        {
          title: '/users/me',
          url: `${url}/users/me`,
          callers,
          proof: 'person1@example.com',
          musterAsks: 'user data',
          target: 12,
        },
      ],
      stop: () => stopProcess(child),
    }
  },
}
