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
    file: 'src/billing/payer.ts',
    original: 'and is_withheld',
    replacement: '',
    line: / as withheld,/,
    reason:
      'It is read only of a permission that is not granted, and a permission is granted as soon as it is given once without being withheld.',
  },
  {
    file: 'src/billing/plans.ts',
    original: '>',
    replacement: '>=',
    line: /cardinality\(m\.price_ids\) > 1/,
    reason:
      'The price of a subscription with one price is that price, mapped or not. The condition saves the look at it.',
  },
  {
    file: 'src/billing/signature.ts',
    original: '{ cause }',
    replacement: '{}',
    reason: 'The cause of a refusal is read for the log only, and only of those with a status of 500 or more.',
  },
  {
    original: "''",
    replacement: "'mutant'",
    line: /const \[at = ''\] = pairs\(/,
    reason: 'Neither text is a time, and without one every event is unsigned.',
  },
  {
    file: 'src/billing/processors/stripe/client.ts',
    original: "'https'",
    replacement: "''",
    reason: 'The SDK of Stripe takes https where the protocol is empty.',
  },
  {
    file: 'src/billing/processors/stripe/subscriptions.ts',
    original: "'metadata' in ofCustomer",
    replacement: 'true',
    reason: 'A member that an object does not have is undefined. The check is there for the type.',
  },
  {
    file: 'src/identity/account-export.ts',
    original: 'page.length < eventsOnPage',
    replacement: 'false',
    reason: 'One more page is read, which is empty.',
  },
  {
    file: 'src/identity/account-export.ts',
    original: '||',
    replacement: '&&',
    line: /!last \|\| page\.length < eventsOnPage/,
    reason: 'One more page is read, which is empty.',
  },
  {
    file: 'src/identity/mount.ts',
    replacement: "''",
    line: /app\.decorateRequest\('/,
    reason: 'It reserves a place. What a request does not have is undefined as well.',
  },
  {
    file: 'src/identity/authorize.ts',
    original: '||',
    replacement: '&&',
    line: /resource === undefined \|\| action === undefined/,
    reason: 'The pattern finds both or neither. The second check is there for the type.',
  },
  {
    file: 'src/identity/displacement.ts',
    original: "and b.email_key <> ''",
    replacement: '',
    reason: 'No address that anyone proves is empty.',
  },
  {
    file: 'src/identity/directory.ts',
    original: '?.',
    replacement: '.',
    line: /tables\?\./,
    reason: 'The statement always returns a row. The check is there for the type.',
  },
  {
    file: 'src/identity/issuers/console-client.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /URL\.canParse\(issuer\)/,
    reason: 'The start refuses an entry whose issuer has no origin.',
  },
  {
    file: 'src/identity/issuers/entries.ts',
    original: "''",
    replacement: "'mutant'",
    line: /members\.text\('preset'\) \?\? ''/,
    reason: 'Neither text is the name of a preset.',
  },
  {
    file: 'src/identity/issuers/verify-token.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /Array\.isArray\(amr\)/,
    reason: 'No entry has this method.',
  },
  {
    file: 'src/service-keys/service-keys.ts',
    original: 'organizationId !== undefined',
    replacement: 'true',
    line: /organization: organizationId/,
    reason: 'JSON has no member that is undefined.',
  },
  {
    original: '<',
    replacement: '<=',
    line: /_at\)? < now\(\)/,
    reason: 'They differ for one microsecond of the clock of the database, which no test can stop.',
  },
  {
    file: 'src/sign-in/factors/factor-codes.ts',
    original: '>',
    replacement: '>=',
    line: /const side = distance > drift/,
    reason: 'Where the two are the same, the code was accepted before.',
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
  {
    file: 'src/sign-in/passwords/hashing-queue.ts',
    original: 'group !== known',
    replacement: 'true',
    reason: 'The group of known accounts is in no network: there is nothing to delete.',
  },
  {
    file: 'src/sign-in/guessing/account-buckets.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /networks: \[\]/,
    reason: 'Only the state of the account’s own bucket is asked for afterwards.',
  },
  {
    file: 'src/sign-in/passkeys/passkey-challenges.ts',
    original: "'sessionId' in use",
    replacement: 'true',
    reason: 'Without a session the value is undefined, which `pg` sends as null. The check is there for the type.',
  },
  {
    file: 'src/sign-in/passkeys/passkey-challenges.ts',
    original: '',
    replacement: 'desc',
    line: /order by expires_at limit 2/,
    reason: 'It decides which of the expired go first, and all of them go.',
  },
  {
    file: 'src/sign-in/recovery/inspect-link.ts',
    original: 'address !== null',
    replacement: 'true',
    reason: 'Every link of a change of address is made with an address. The check is there for the type.',
  },
  {
    file: 'src/sign-in/passkeys/webauthn.ts',
    replacement: '{}',
    line: /catch \{/,
    reason: 'A function without a result returns undefined.',
  },
  {
    file: 'src/sign-in/notifications.ts',
    original: '!issuer.outbox',
    replacement: 'false',
    reason: 'What would be put into an absent outbox is not put anywhere. The check saves the statement before it.',
  },
  {
    file: 'src/sign-in/addresses/prove-address.ts',
    replacement: '',
    line: /where a\.id = \$1 and \$\{provable\}/,
    reason: 'The unique index of proved addresses refuses the same rows, with the error that is caught.',
  },
  {
    file: 'src/sign-in/keys/encryption.ts',
    original: '{ authTagLength: tagBytes }',
    replacement: '{}',
    reason: 'Whatever is decrypted is split so that its tag has these bytes, which every length of the library allows.',
  },
  {
    file: 'src/identity/authorize.ts',
    original: '||',
    replacement: '&&',
    line: /resource === undefined \|\| action === undefined/,
    reason: 'The form has both of them or neither.',
  },
  {
    file: 'src/identity/issuers/entries.ts',
    original: "''",
    replacement: "'mutant'",
    line: /shorthand\?\.member \?\? ''/,
    reason: 'No member of an entry has either name.',
  },
  {
    file: 'src/identity/issuers/entries.ts',
    original: 'Array.isArray(value)',
    replacement: 'true',
    reason: 'Every preset with an algorithm for a secret has a list of algorithms.',
  },
  {
    file: 'src/identity/issuers/key-renewal.ts',
    original: '{ cause: error }',
    replacement: '{}',
    reason: 'Whatever fails there fails with an Error.',
  },
  {
    file: 'src/identity/mount.ts',
    line: /decorateRequest\(/,
    reason: 'Fastify declares what is set later: that makes requests of one shape, and changes no answer.',
  },
  {
    original: '[]',
    replacement: "['mutant']",
    line: /const \[, .*\.exec\(.*\) \?\? \[\]/,
    reason: 'The first element is passed over.',
  },
  {
    file: 'src/identity/account-export.ts',
    original: 'page.length < eventsOnPage',
    replacement: 'false',
    reason: 'The page after the last one is empty, and ends it too. The check saves that statement.',
  },
  {
    file: 'src/service-keys/service-keys.ts',
    original: 'organizationId !== undefined',
    replacement: 'true',
    reason: 'JSON leaves out what is undefined.',
  },
  {
    file: 'src/sign-in/passwords/passwords.ts',
    original: '!scheme',
    replacement: 'false',
    reason: 'What is compared by no scheme fails, and is unreadable, too. The check is there for the type.',
  },
  {
    file: 'src/identity/directory.ts',
    original: '?.',
    replacement: '.',
    line: /tables\?\./,
    reason: 'The statement has aggregates alone, and returns one row. The check is there for the type.',
  },
  {
    original: '<=',
    replacement: '<',
    line: /_at <= now\(\)/,
    reason: 'They differ for one microsecond of the clock of the database, which no test can stop.',
  },
  {
    file: 'src/identity/issuers/console-client.ts',
    original: '[]',
    replacement: "['mutant']",
    line: /const own =/,
    reason: 'Where the address of the issuer is at fault the start stops, and nothing reads the origins.',
  },
  ...listedTwice.map((word) => ({
    file: 'src/sign-in/passwords/password-rules.ts',
    original: `'${word}'`,
    replacement: "''",
    reason: 'The word is in the list of common passwords, too, and no form of a password is empty.',
  })),
]
