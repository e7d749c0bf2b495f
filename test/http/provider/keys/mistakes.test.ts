import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../../../simulators/cloudflare/server.ts'
import { samples } from '../../../../simulators/cloudflare/state.ts'
import { route53ForTest } from '../../../support/route53.ts'
import { serviceForTest } from '../../../support/service.ts'

const path = '/api/v1/provider/keys/validate'

async function startWithCloudflare() {
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const env = { MUSTER_CLOUDFLARE_URL: simulator.url, MUSTER_KEY_CHECKS_PER_MINUTE: '1000' }
  const service = await serviceForTest({ env })
  const { token } = await service.person()
  const check = async (apiKey: string, query = '') =>
    (await service.post(path + query, { token, body: { apiKey, keyType: 'api_token' } })).body
  return { simulator, check }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What was pasted, by the code and the message that name it. */
const mistakes: Readonly<Record<string, readonly [message: string, ...pasted: string[]]>> = {
  variable_name: [
    'This is the name of a variable, not the API token, so it was not sent; enter the value of the variable.',
    '$CF_TOKEN',
    '$cfToken',
    `\${CF_TOKEN:-none}`,
    '$(cat token)',
    '$env:CF_TOKEN',
    '%CF_TOKEN%',
    '{{ cf_token }}',
    `\${{ secrets.CF_TOKEN }}`,
    '#{cf_token}',
    'process.env.CF_TOKEN',
    "os.environ['CF_TOKEN']",
    'System.getenv("CF_TOKEN")',
    'var.cf_token',
    'CF_DNS_API_TOKEN',
    'CLOUDFLARE_API_KEY=',
  ],
  masked: [
    'The API token is partly hidden by dots or asterisks, so it was not sent; copy the whole value or create a new one.',
    '****',
    '***',
    'cfut_****************',
    '••••••••',
    'cf_…abcd',
    'cfut_...abcd',
    '[REDACTED]',
    '(sensitive value)',
  ],
  no_value: [
    'This is what a program writes for a missing value, not the API token, so it was not sent; check where it was copied from.',
    'null',
    'undefined',
    '[object Object]',
    'None',
    'NaN',
    'nil',
    '<no value>',
    '(known after apply)',
  ],
  placeholder: [
    'This is a placeholder, not the API token, so it was not sent; enter the value itself.',
    'YOUR_API_TOKEN',
    'your-token-here',
    'YOUR_CLOUDFLARE_API_TOKEN',
    '<token>',
    '<your token>',
    '{api_token}',
    'xxxxxxxxxxxx',
    'cfut_xxxxxxxxxxxxxxxx',
    'XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX',
    'changeme',
    'change-me',
    'REPLACE_WITH_TOKEN',
    'TODO',
  ],
  secret_reference: [
    'This is a reference to a secret store, not the API token, so it was not sent; enter the value that it refers to.',
    'op://vault/cloudflare/token',
    'vault:secret/data/dns#token',
    'vault://secret/dns',
    '!vault |',
    'arn:aws:secretsmanager:eu-central-1:123456789012:secret:dns',
    'aws-secretsmanager:dns',
    'projects/my-project/secrets/dns/versions/1',
    'sm://dns',
    'ref+awssecrets://dns/token',
    '{{resolve:secretsmanager:dns}}',
    '@Microsoft.KeyVault(SecretUri=x)',
    '/run/secrets/token',
  ],
  web_address: [
    'This is a URL, not the API token, so it was not sent; enter the value itself.',
    'https://dash.cloudflare.com/profile/api-tokens',
    'postgres://user@host/database',
  ],
  email_address: [
    'This is an email address, not the API token, so it was not sent; enter the value itself.',
    'user.name+dns@example.co.uk',
  ],
  domain_name: [
    'This is a domain name, not the API token, so it was not sent; enter the value itself.',
    'example.com',
    'WWW.EXAMPLE.COM',
    'api.example.co.uk.',
  ],
  pem_block: [
    'This is a certificate or a key in PEM form, not the API token, so it was not sent; copy the API token.',
    '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n',
    '-----BEGIN CERTIFICATE-----',
  ],
  encoded_text: [
    'This is a header or a file in base64, not the API token, so it was not sent; decode it and copy the value alone.',
    base64(`Authorization: Bearer ${samples.userToken}`),
    base64(`X-Auth-Key: ${samples.globalKey}`),
    base64('-----BEGIN PRIVATE KEY-----\nMIIE'),
    `Basic ${base64('user:password')}`,
  ],
  several_values: [
    'This is JSON, YAML or a list of settings, not the API token alone, so it was not sent; copy the value alone.',
    `{"token": "${samples.userToken}", "zone": "example.com"}`,
    `["${samples.userToken}"]`,
    `CF_TOKEN=${samples.userToken}\nCF_ZONE=example.com`,
    `token: ${samples.userToken}\n# comment\nzone: example.com`,
    `[cloudflare]\ntoken = ${samples.userToken}\nemail = user@example.com`,
  ],
}

test('200 — names each mistake in one sentence, and sends nothing to the provider', async () => {
  const { simulator, check } = await startWithCloudflare()
  for (const [code, [message, ...pasted]] of Object.entries(mistakes))
    for (const apiKey of pasted) {
      expect(await check(apiKey), apiKey).toEqual({ isValid: false, message })
      expect(await check(`  ${apiKey}\n`, '?details=true'), apiKey).toEqual({
        isValid: false,
        message,
        details: {
          provider: 'cloudflare',
          code,
          credential: 'api_token',
          warnings: [],
          checkedAt: expect.any(String),
          cached: false,
        },
      })
    }
  expect(simulator.received).toEqual([])
})

test('200 — says what it left out around a mistake', async () => {
  const { simulator, check } = await startWithCloudflare()
  const message =
    'This is the name of a variable, not the API token, so it was not sent; enter the value of the variable (its first word left out).'
  expect(await check('Bearer $CF_TOKEN')).toEqual({ isValid: false, message })
  expect(simulator.received).toEqual([])
})

test('200 — names a mistake in another part of a credential, and leaves user names and passwords alone', async () => {
  const simulated = await route53ForTest()
  const service = await serviceForTest(simulated)
  const { token } = await service.person()
  const { status, body } = await service.post(path, {
    token,
    body: { provider: 'route53', keyType: 'api_key', apiKey: 'secret', parts: { accessKeyId: '$AWS_ACCESS_KEY_ID' } },
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      isValid: false,
      message:
        'This is the name of a variable, not the access key ID, so it was not sent; enter the value of the variable.',
    },
  })
  expect(simulated.received).toEqual([])
})
