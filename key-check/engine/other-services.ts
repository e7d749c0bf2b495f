import type { PublishedForm } from './key-type.ts'

/** A credential of a service that Muster does not check, recognized by its published form. */
interface OtherService {
  readonly title: string
  /** The service's name for it, usable inside a sentence. */
  readonly label: string
  readonly form: PublishedForm
}

/** Keys that users often have in the same file or clipboard. Only published forms whose prefix no provider's keys share by chance. */
export const otherServices: readonly OtherService[] = [
  {
    title: 'GitHub',
    label: 'token',
    form: {
      pattern: '^gh[pousr]_[A-Za-z0-9_]{36,251}$',
      source: 'github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available',
    },
  },
  {
    title: 'GitHub',
    label: 'fine-grained personal access token',
    form: {
      pattern: '^github_pat_[A-Za-z0-9_]{36,244}$',
      source:
        'docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github, 2026-11',
    },
  },
  {
    title: 'GitLab',
    label: 'personal access token',
    form: { pattern: '^glpat-[A-Za-z0-9_.-]{20,}$', source: 'gitlab.com/gitlab-org/gitlab/-/issues/342327, 2021-10' },
  },
  {
    title: 'npm',
    label: 'access token',
    form: {
      pattern: '^npm_[A-Za-z0-9]{36}$',
      source: 'github.blog/security/announcing-npms-new-access-token-format, 2021-09',
    },
  },
  {
    title: 'PyPI',
    label: 'API token',
    form: {
      pattern: '^pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{70,}$',
      source: 'warehouse.pypa.io/development/token-scanning.html, 2026-11',
    },
  },
  {
    title: 'Slack',
    label: 'token',
    form: { pattern: '^(xox[bp]|xapp)-[A-Za-z0-9-]{20,}$', source: 'docs.slack.dev/authentication/tokens, 2026-11' },
  },
  {
    title: 'Stripe',
    label: 'secret key',
    form: {
      pattern: '^(sk|rk)_(live|test)_[A-Za-z0-9]{10,128}$',
      source: 'docs.stripe.com/keys, 2026-11; the length: gitlab.com/gitlab-org/gitlab/-/issues/458019',
    },
  },
  {
    title: 'Muster',
    label: 'service key',
    form: { pattern: '^msk_[0-9A-Za-z]{49}$', source: 'docs/administration.md, 2026-11' },
  },
]

/**
 * The service that has ended, by the name before its token. The token itself is plain base64 and cannot be recognized
 * (go-acme/lego providers/dns/googledomains, aaomidi/certbot-dns-google-domains, acmesh-official/acme.sh dns_googledomains.sh).
 */
export function endedServiceOf(value: string): string | undefined {
  return endedNames.test(value) ? 'Google Domains' : undefined
}

const endedNames = /^(?:(?:export|set)\s+)?(?:dns_)?google_?domains_access_token["']?\s{0,9}[:=]/i
