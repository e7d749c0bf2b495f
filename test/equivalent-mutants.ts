/**
 * Mutants of `npm run mutate` that no test can notice, because the program does the same with them. A mutant belongs to an entry where
 * everything that the entry gives is the same; `line` is a part of the source line that it begins in.
 */
export interface EquivalentMutant {
  readonly file?: string
  readonly original?: string
  readonly replacement?: string
  readonly line?: RegExp
  readonly reason: string
}

/** Of the words that are refused beside the list of common passwords, those that it has as well. */
const listedTwice = [
  ...['january', 'february', 'march', 'april', 'august', 'september', 'october', 'november', 'december'],
  ...['spring', 'summer', 'winter', 'monday', 'wednesday', 'thursday', 'friday', 'saturday'],
  ...['qwertyuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', '12345678'],
]

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    replacement: 'false',
    line: /if \(!\w+\) throw new Error\(/,
    reason: 'The statement always returns a row. The check is there for the type.',
  },
  {
    original: '>',
    replacement: '>=',
    line: /_at > now\(\)/,
    reason: 'They differ for one microsecond of the clock of the database, which no test can stop.',
  },
  {
    original: '<',
    replacement: '<=',
    line: /_at < now\(\)/,
    reason: 'They differ for one microsecond of the clock of the database, which no test can stop.',
  },
  {
    file: 'src/sign-in/factors/totp.ts',
    original: "{ algorithm: 'SHA1', digits: 6, period: periodSeconds }",
    replacement: '{}',
    reason: 'These are the defaults of the library, and of RFC 6238.',
  },
  {
    file: 'src/key-checks/engine/classify.ts',
    original: "''",
    replacement: "'mutant'",
    line: /\?\? ''/,
    reason: 'Neither text is a type of HTML, a number or a date.',
  },
  {
    file: 'src/key-checks/engine/pasted.ts',
    line: /while \((start < end|end > start) &&/,
    original: 'start < end',
    replacement: 'true',
    reason: 'Beyond the text there is no blank character.',
  },
  {
    file: 'src/platform/addresses.ts',
    original: "''",
    replacement: "'mutant'",
    line: /\?\? ''\)/,
    reason: 'Neither text is the name of a range.',
  },
  {
    file: 'src/platform/addresses.ts',
    original: "''",
    replacement: "'mutant'",
    line: /return done\(/,
    reason: 'Beside an error the address is not read.',
  },
  {
    file: 'src/user-data/cache.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /orgId === undefined/,
    reason: 'No event has this subject.',
  },
  {
    file: 'src/user-data/cache.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /let recent|keysBySubject\.get/,
    reason: 'It stands before the first event, and no entry has this key.',
  },
  {
    file: 'src/user-data/cache.ts',
    original: '?.',
    replacement: '.',
    line: /keys\?\.(delete|size)/,
    reason: 'The subjects of an entry are in the index. The check is there for the type.',
  },
  {
    file: 'src/identity/issuers/verify-token.ts',
    original: "'token_invalid'",
    replacement: "''",
    reason: 'A code that is not in the table throws, and `verifyToken` makes `token_invalid` of what is thrown.',
  },
  {
    file: 'src/identity/bearer.ts',
    original: '<',
    replacement: '<=',
    reason: 'Beyond the last line there is no name.',
  },
  {
    file: 'src/identity/bearer.ts',
    original: '?.',
    replacement: '.',
    reason: 'The list has pairs. The check is there for the type.',
  },
  {
    file: 'src/identity/caller.ts',
    line: /known !== undefined|made\.set/,
    reason: 'The text is made once more, and is the same.',
  },
  {
    file: 'src/sign-in/passwords/imported-hashes.ts',
    original: "''",
    replacement: "'mutant'",
    line: /= stored\.split\('\$'\)/,
    reason: 'The shape was checked before: every part is there. The defaults are there for the type.',
  },
  {
    file: 'src/sign-in/addresses/prove-address.ts',
    replacement: '',
    line: /^where a\.id = \$1 and \$\{provable\}/,
    reason: 'The unique index on proved addresses refuses the same, and `proveAddress` makes false of its error.',
  },
  {
    file: 'src/sign-in/notifications.ts',
    original: '!issuer.outbox',
    replacement: 'false',
    reason: 'Without an outbox `notify` does nothing. The check saves a statement.',
  },
  {
    file: 'src/sign-in/guessing/allow.ts',
    original: 'network !== undefined',
    replacement: 'true',
    reason: 'Without a network `isKnownNetwork` is false: no network equals null. The check is there for the type.',
  },
  {
    file: 'src/sign-in/keys/re-encrypt.ts',
    original: '',
    replacement: 'desc',
    reason: 'It decides which rows come first, and all of them come.',
  },
  ...listedTwice.map((word) => ({
    file: 'src/sign-in/passwords/password-rules.ts',
    original: `'${word}'`,
    replacement: "''",
    reason: 'The word is in the list of common passwords, too, and no form of a password is empty.',
  })),
]
