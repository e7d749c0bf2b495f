/** A word of the project's early private language, and the word that the field uses for the same thing. */
export interface ForbiddenWord {
  /** Matched in text whose identifiers are taken apart: `joinSiblings` and `siblings_total` both contain the word `siblings`. */
  readonly pattern: RegExp
  readonly use: string
  /** Only in paths that begin so. Without it everywhere. */
  readonly within?: string
}

export const forbiddenWords: readonly ForbiddenWord[] = [
  { pattern: /\b(kept answers?|shelf|shelves|ready answers?|innards)\b/i, use: 'response cache, cached response' },
  {
    pattern: /\b(the|a|an|each|every|no|of|its|such|these|those) notices?\b|\bnotices (that|which)\b/i,
    use: 'notification, invalidation event',
  },
  { pattern: /\btold\b|\btells? of\b/i, use: 'the active voice: who sends what to whom' },
  { pattern: /\bdeaf\b|\bhears?\b/i, use: 'notify-blocked; receive' },
  { pattern: /\bcrews?\b/i, use: 'worker pool' },
  { pattern: /\bsiblings?\b/i, use: 'peers' },
  { pattern: /\brelay(s|ed)?\b/i, use: 'broker, forward' },
  { pattern: /\bnews\b/i, use: 'webhook event, message' },
  { pattern: /\bkeepers?\b|\bhold use\b|\blet go\b/i, use: 'advisory-lock lease, acquire, release' },
  { pattern: /\badmit(s|ted)?\b|\bstanding\b|\bseats?\b/i, use: 'authorize, account state, membership' },
  { pattern: /\b(glance|walk|trek|gather)(s|ed|ing)?\b/i, use: 'index scan, filter index, full scan' },
  { pattern: /\bscrapers?\b/i, use: 'metrics token' },
  { pattern: /\bdesks?\b/i, use: 'provider client' },
  { pattern: /\bbrakes?\b|\bquiet(er|ly)?\b/i, use: 'circuit breaker, throttle, cool-down; idle' },
  { pattern: /(?<!\b(in|single)[ -])\bflights?\b/i, use: 'single-flight, in flight' },
  { pattern: /\bjudge?ments?\b/i, use: 'result' },
  { pattern: /\bpatien(t|ce)\b/i, use: 'wait budget' },
  { pattern: /\boffspring\b/i, use: 'child process' },
  { pattern: /\b(sow|plant)(s|ed|n|ing)?\b|\btake[ -]in\b/i, use: 'seed insert, bulk import' },
  { pattern: /\bback[ -]?offs?\b/i, use: 'login throttling', within: 'src/sign-in/' },
  { pattern: /\bbegun\b/i, use: 'started' },
  {
    pattern: /\b(whoever|nobody|somebody|everybody|anybody)\b/i,
    use: 'the caller, the user, no account, every node …',
  },
  { pattern: /\b(can|could|cannot|not|to) be had\b/i, use: 'available, unavailable' },
  { pattern: /\bdear(er)?\b/i, use: 'slow, costly' },
]

/** Text that may contain a forbidden word, and why. */
export const exceptions: readonly { readonly text: RegExp; readonly because: string }[] = [
  { text: /(?<=`test\/[^`]+\.ts`: )“[^”]+”/g, because: 'titles of tests are quoted as they are' },
  { text: /max_parallel_workers_per_gather/, because: 'a setting of PostgreSQL' },
  { text: /-> {2}Gather( Merge)? \(/, because: 'a node of the plans of PostgreSQL' },
  { text: /number of seats/, because: 'what a buyer orders' },
  { text: /Quiet Harbour/, because: 'a made-up company of the demo data' },
  { text: /064_changes_told_whole/, because: 'a migration that has run keeps its name' },
]
