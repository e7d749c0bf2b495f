/** One group of the side bar: the reader's task, and the pages for it by their paths in the checkout. */
interface Group {
  readonly title: string
  readonly isCollapsed?: boolean
  readonly pages: readonly string[]
}

/** Of pages whose first heading says too little beside others; the name of every other page is its first heading. */
export const titles: Readonly<Record<string, string>> = {
  'README.md': 'What Muster is',
  'docs/README.md': 'All pages',
}

/** The pages of the site in the order in which a reader needs them. */
export const navigation: readonly Group[] = [
  {
    title: 'Start',
    pages: ['README.md', 'docs/start.md', 'docs/choosing.md', 'docs/README.md', 'CHANGELOG.md'],
  },
  {
    title: 'Build a front end',
    pages: ['docs/client.md', 'docs/signing-in.md', 'docs/organizations.md', 'docs/permissions.md', 'docs/problems.md'],
  },
  {
    title: 'Check provider keys',
    pages: ['docs/checking-keys.md', 'docs/providers.md', 'docs/messages.md'],
  },
  {
    title: 'Administer',
    pages: [
      'docs/console.md',
      'docs/administration.md',
      'docs/audit.md',
      'docs/billing.md',
      'docs/webhooks.md',
      'docs/cli.md',
    ],
  },
  {
    title: 'Run it',
    pages: [
      'docs/deploying.md',
      'docs/configuration.md',
      'docs/issuers.md',
      'docs/mail.md',
      'docs/monitoring.md',
      'docs/limits.md',
      'docs/backup.md',
      'docs/upgrading.md',
      'docs/scaling.md',
    ],
  },
  {
    title: 'Contribute',
    pages: [
      'CONTRIBUTING.md',
      'docs/contributing/add-a-field-to-user-data.md',
      'docs/contributing/add-a-filter.md',
      'docs/contributing/add-an-operation.md',
      'docs/contributing/add-a-provider.md',
      'docs/contributing/add-a-payment-processor.md',
      'docs/contributing/add-an-issuer.md',
      'docs/contributing/testing.md',
      'docs/contributing/measuring.md',
      'docs/contributing/releasing.md',
    ],
  },
  { title: 'Packages', pages: ['client/README.md', 'react/README.md', 'key-check/README.md'] },
  {
    title: 'Security',
    pages: ['SECURITY.md', 'docs/security/asvs.md', 'docs/security/inventory.md', 'docs/security/advisories.md'],
  },
  {
    title: 'Decisions',
    isCollapsed: true,
    pages: [
      'docs/decisions/outgoing-proxy.md',
      'docs/decisions/requests.md',
      'docs/decisions/reads.md',
      'docs/decisions/key-validation.md',
      'docs/decisions/built-in-issuer.md',
      'docs/decisions/levels.md',
      'docs/decisions/passwords.md',
      'docs/decisions/mail.md',
      'docs/decisions/verified-emails.md',
      'docs/decisions/names-and-emails.md',
      'docs/decisions/deletion.md',
      'docs/decisions/organizations.md',
      'docs/decisions/callers.md',
      'docs/decisions/billing-order.md',
      'docs/decisions/webhooks.md',
      'docs/decisions/embedded-postgresql.md',
      'docs/decisions/database.md',
      'docs/decisions/migrations.md',
      'docs/decisions/backups.md',
      'docs/decisions/console.md',
      'docs/decisions/documentation-site.md',
      'docs/decisions/releases.md',
      'docs/decisions/dependencies.md',
    ],
  },
]

/** Pages that are mostly tables of many columns. */
export const widePages: readonly string[] = [
  'docs/providers.md',
  'docs/messages.md',
  'docs/configuration.md',
  'docs/permissions.md',
  'docs/scaling.md',
  'docs/security/asvs.md',
  'docs/security/inventory.md',
  'docs/security/advisories.md',
]

export const pages: readonly string[] = navigation.flatMap((group) => group.pages)

/** Files that a page tells its reader to copy: the site has them below `files/`, as they are. */
export const copiedFiles: readonly string[] = [
  'deploy/compose/Caddyfile',
  'deploy/compose/compose.yaml',
  'deploy/compose/make-secrets.sh',
  'deploy/grafana/muster.json',
  'deploy/ha/etcd.env',
  'deploy/ha/haproxy.cfg',
  'deploy/ha/muster.settings',
  'deploy/ha/patroni.yml',
  'deploy/kubernetes/base/muster.yaml',
  'deploy/kubernetes/overlays/autoscaling/kustomization.yaml',
  'deploy/kubernetes/overlays/cloudnative-pg/kustomization.yaml',
  'deploy/kubernetes/overlays/example/kustomization.yaml',
  'deploy/prometheus/alerts.test.yaml',
  'deploy/prometheus/alerts.yaml',
  'deploy/proxies/Caddyfile',
  'deploy/proxies/haproxy.cfg',
  'deploy/proxies/nginx.conf',
  'deploy/systemd/muster.service',
  'deploy/systemd/postgresql.conf',
]

/** `deploy/compose/compose.yaml` is `files/compose-compose.yaml`. */
export function addressOfFile(file: string): string {
  return `files/${file.replace('deploy/', '').replaceAll('/', '-')}`
}

/** Below the address of the site, without an ending: `start`, `decisions/mail`, and nothing for the first page. */
export function addressOf(page: string): string {
  return (
    addresses[page] ??
    page
      .replace(/^docs\//, '')
      .replace(/\.md$/, '')
      .toLowerCase()
  )
}

const addresses: Readonly<Record<string, string>> = {
  'README.md': '',
  'docs/README.md': 'pages',
  'SECURITY.md': 'security-policy',
  'client/README.md': 'packages/client',
  'react/README.md': 'packages/react',
  'key-check/README.md': 'packages/key-check',
}
