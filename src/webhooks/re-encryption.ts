import { secretContext } from './signing.ts'

const columnOf = (column: 'secret' | 'previous_secret') => ({
  contextOf: secretContext,
  find: {
    name: `re_encrypt_webhooks_${column}`,
    text: `
select id, ${column} as encrypted from webhook_endpoint
where substring(${column} for 4) <> $1 order by id limit $2 for update`,
  },
  replace: { name: `re_encrypt_webhook_${column}`, text: `update webhook_endpoint set ${column} = $2 where id = $1` },
})

/** Re-encrypts secrets with the current key, for `muster keys re-encrypt`. */
export const webhookSecretColumns = [columnOf('secret'), columnOf('previous_secret')]
