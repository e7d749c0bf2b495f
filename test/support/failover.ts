import { type ClusterServer, openClusters } from './clusters.ts'

export interface FailoverPair {
  readonly primary: ClusterServer
  readonly standby: ClusterServer
  /** Both hosts in one address, the primary first. */
  readonly url: string
}

/** A primary and a standby with the same content, which receives nothing from it. Both run until the end of the test. */
export async function failoverPair(): Promise<FailoverPair> {
  const clusters = await openClusters()
  const primary = await clusters.make('one')
  const standby = await clusters.copy('one', 'two', 'standby')
  await primary.start()
  await standby.start()
  const url = primary.url.replace(/\/postgres$/, `,127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`)
  return { primary, standby, url }
}
