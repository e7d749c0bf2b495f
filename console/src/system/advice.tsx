import type { Schemas } from '@muster/client'
import { defineTexts, useTexts } from '../texts.ts'
import { CopyButton } from '../ui/button.tsx'
import { Mark } from '../ui/facts.tsx'
import { systemTexts } from './texts.ts'

export type NodeStatus = Schemas['SystemStatus']

type Advice = NodeStatus['advice'][number]

/** What to do, with the command that does it. */
export function AdviceList({ advice }: { readonly advice: readonly Advice[] }) {
  const t = useTexts(systemTexts)
  return (
    <section aria-label={t('advice')}>
      <h2>{t('advice')}</h2>
      {advice.length === 0 ? (
        <p>
          <Mark tone="good">{t('adviceNone')}</Mark>
        </p>
      ) : (
        <ul className="plain advice">
          {advice.map((one) => (
            <AdviceItem key={one.code + JSON.stringify(one.values)} advice={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function AdviceItem({ advice: { code, level, detail, values, command, setting } }: { readonly advice: Advice }) {
  const t = useTexts(systemTexts)
  const sentence = useTexts(adviceTexts)
  return (
    <li>
      <Mark tone={level === 'fail' ? 'bad' : 'warning'}>{isKnown(code) ? sentence(code, values) : detail}</Mark>
      {command !== undefined && (
        <div>
          {t('run')} <code>{command}</code> <CopyButton text={command} name={command} />
        </div>
      )}
      {setting !== undefined && (
        <div>
          {t('set')} <code>{setting}</code>
        </div>
      )}
    </li>
  )
}

/** A newer service may have more to say: its own sentence is shown then. */
function isKnown(code: string): code is keyof typeof adviceTexts {
  return Object.hasOwn(adviceTexts, code)
}

/** The advice of a node by its code. */
const adviceTexts = defineTexts({
  database_read_only: [
    'The database is read-only: changes are refused ({cause}).',
    'Die Datenbank ist nur lesbar: Änderungen werden abgelehnt ({cause}).',
  ],
  database_full: [
    'The disk of the database is full: changes are refused ({cause}).',
    'Die Platte der Datenbank ist voll: Änderungen werden abgelehnt ({cause}).',
  ],
  database_saturated: [
    'The database gives no further connection ({cause}).',
    'Die Datenbank gibt keine weitere Verbindung ({cause}).',
  ],
  database_refused: ['The database refuses this node ({cause}).', 'Die Datenbank lehnt diesen Knoten ab ({cause}).'],
  database_unreachable: ['The database cannot be reached ({cause}).', 'Die Datenbank ist nicht erreichbar ({cause}).'],
  schema_unsupported: [
    'A newer release has migrated the database, and this one cannot work with it: install the newer one here.',
    'Eine neuere Version hat die Datenbank umgestellt, und diese kann damit nicht arbeiten: installieren Sie hier die neuere.',
  ],
  schema_ahead: [
    'A newer release has migrated the database, and this one works with it: update this node too.',
    'Eine neuere Version hat die Datenbank umgestellt, und diese arbeitet damit: erneuern Sie auch diesen Knoten.',
  ],
  schema_pending: [
    'Migrations of this release have not run: {migrations}.',
    'Umstellungen dieser Version fehlen: {migrations}.',
  ],
  clock_far: [
    'The clocks of this node and of the database differ by {seconds} s: set both by NTP.',
    'Die Uhren dieses Knotens und der Datenbank gehen {seconds} s auseinander: stellen Sie beide mit NTP.',
  ],
  database_clear_text: [
    'The database at {hosts} is reached in clear text: add sslmode=require.',
    'Die Datenbank bei {hosts} wird ohne Verschlüsselung erreicht: ergänzen Sie sslmode=require.',
  ],
  backup_failed: [
    'The daily backup failed ({cause}). Free space, or correct the folder; Muster tries again every hour.',
    'Die tägliche Sicherung ist fehlgeschlagen ({cause}). Platz schaffen oder den Ordner berichtigen; Muster versucht es jede Stunde erneut.',
  ],
  issuer_unavailable: [
    'Tokens of {issuer} cannot be verified: its users cannot call.',
    'Token von {issuer} lassen sich nicht prüfen: wer sich dort anmeldet, hat hier keinen Zugang.',
  ],
  issuer_stale: [
    '{issuer} cannot be reached; its last keys still serve.',
    '{issuer} ist nicht erreichbar; seine letzten Schlüssel gelten noch.',
  ],
  mail_given_up: [
    'Mails that were given up in the last seven days: {count}.',
    'In den letzten sieben Tagen aufgegebene E-Mails: {count}.',
  ],
  mail_waits: ['A mail has waited for {minutes} minutes.', 'Eine E-Mail wartet seit {minutes} Minuten.'],
  billing_setting_missing: [
    '{name} is not set: {processor} is used in part only.',
    '{name} ist nicht gesetzt: {processor} ist nur teilweise in Gebrauch.',
  ],
  reconciliation_failed: [
    'The last reconciliation with {processor} failed ({cause}).',
    'Der letzte Abgleich mit {processor} misslang ({cause}).',
  ],
  prices_unmapped: [
    'Prices that people pay and that are mapped to no plan: {count}.',
    'Preise, die bezahlt werden und zu keinem Tarif gehören: {count}.',
  ],
  customers_waiting: [
    'Customers that pay and have no owner: {count}.',
    'Kunden, die bezahlen und keinen Inhaber haben: {count}.',
  ],
  customers_unconfirmed: [
    'Customers whose owner only their payer has named: {count}.',
    'Kunden, deren Inhaber nur genannt hat, wer bezahlt: {count}.',
  ],
  administrator_missing: ['No administrator can sign in.', 'Kein Administrator kann sich anmelden.'],
  administrators_weak: [
    'Administrators who sign in with a password alone: {count}. Set up second factors, then require them.',
    'Konten mit Verwaltungsrechten und nur einem Passwort: {count}. Richten Sie zweite Faktoren ein und verlangen Sie sie dann.',
  ],
  emails_taken: [
    'Users whose verified address belongs to another account of the same issuer: {count}.',
    'Konten, deren bestätigte Adresse zu einem anderen Konto desselben Ausstellers gehört: {count}.',
  ],
  sign_up_open: [
    'Anyone can sign up, and no mail proves an address: it may be that of another person.',
    'Registrieren kann sich, wer will, und keine E-Mail beweist eine Adresse: sie kann die einer anderen Person sein.',
  ],
  service_keys_expiring: [
    'Service keys that expire within 14 days: {count}.',
    'Dienstschlüssel, die in 14 Tagen ablaufen: {count}.',
  ],
  proxies_untrusted: [
    'The service is reached by https, so by a proxy, and none is named: all clients have its address, and attempts to sign in are not limited by network.',
    'Der Dienst wird über https erreicht, also durch einen Proxy, und keiner ist genannt: alle haben seine Adresse, und Anmeldeversuche sind nicht nach Netz begrenzt.',
  ],
  limit_reached: [
    'The limit “{name}” was reached since the start: {count} times.',
    'Die Grenze „{name}“ wurde seit dem Start {count}-mal erreicht.',
  ],
})
