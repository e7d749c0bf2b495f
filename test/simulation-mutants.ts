import type { Mutant } from './mutants.ts'

const feed = 'src/platform/database/change-feed.ts'
const reader = 'src/platform/database/read-changes.ts'
const cache = 'src/user-data/cache.ts'

/** Faults of the reader of changes, of the receipts, of the cache and of the check of replicas, which the simulation notices as well. */
const faults: readonly Omit<Mutant, 'test' | 'title'>[] = [
  {
    fault: 'simulated: a node that slept for longer than events are kept goes on',
    file: reader,
    search: 'since?.history === history && !isLost',
    replace: 'since?.history === history',
  },
  {
    fault: 'simulated: a node goes on after a failover',
    file: reader,
    search: 'since?.history === history && !isLost',
    replace: 'since !== undefined && !isLost',
  },
  {
    fault: 'simulated: of more changes than one look takes the last ones are lost',
    file: reader,
    search: `events.length > eventsMax ? ['all'] : events`,
    replace: 'events',
  },
  {
    fault: 'simulated: an old primary gives proofs',
    file: feed,
    search: 'if (!found.hasSyncStandbys) proven()',
    replace: 'if (found) proven()',
  },
  {
    fault: 'simulated: an operation is answered after a look that began before its change',
    file: feed,
    search: 'next = running.then(begin, begin)',
    replace: 'next = undefined; return running',
  },
  {
    fault: 'simulated: what was read before a change is cached after it',
    file: cache,
    search: 'if (isConnected && !events.concern(entry.subjects, since)) store.set(key, entry)',
    replace: 'if (isConnected) store.set(key, entry)',
  },
  {
    fault: 'simulated: a replica is read however far behind it is',
    file: 'src/platform/database/replica/replica-host.ts',
    search: `verdict(lagSeconds <= lagMaxSeconds ? 'up' : 'behind')`,
    replace: `verdict('up')`,
  },
]

const path = 'test/bench/'

export const simulationMutants: readonly Mutant[] = [
  ...faults.map((one) => ({
    ...one,
    test: `${path}simulation.test.ts`,
    title: 'with every fault, no answer is older than the lease',
  })),
  {
    fault: 'simulated: a change that a running transaction made before a look is never seen',
    file: reader,
    search: 'where xid = running.xid offset 0',
    replace: 'where false offset 0',
    test: `${path}change-tables.test.ts`,
    title: 'the model of the simulation finds what PostgreSQL finds',
  },
]
