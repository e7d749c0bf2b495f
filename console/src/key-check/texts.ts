import { defineTexts } from '../texts.ts'
import type { UnknownCode } from './check-key.ts'
import type { Ability, Provider } from './credential.ts'

export const keyCheckTexts = defineTexts({
  title: ['Check a key', 'Schlüssel prüfen'],
  one: ['One key', 'Ein Schlüssel'],
  many: ['Many keys', 'Viele Schlüssel'],
  permissionMissing: [
    'Your roles do not allow you to check keys. The permission is provider_keys: validate; an administrator can grant it.',
    'Ihre Rollen erlauben das Prüfen von Schlüsseln nicht. Die Berechtigung heißt provider_keys: validate; ein Administrator kann sie erteilen.',
  ],
  providersRefused: [
    'The list of providers was not read, so no key can be checked.',
    'Die Liste der Anbieter wurde nicht gelesen, daher lässt sich kein Schlüssel prüfen.',
  ],
  noProviders: ['This service checks keys of no provider.', 'Dieser Dienst prüft Schlüssel keines Anbieters.'],
  providerHint: ['Type to find one of {count}.', 'Tippen Sie, um einen von {count} zu finden.'],
  showProviders: ['Show all providers', 'Alle Anbieter zeigen'],
  noProvider: ['No provider is called that.', 'Kein Anbieter heißt so.'],
  makeKey: ['Where to make such a key', 'Wo man einen solchen Schlüssel erstellt'],
  docs: ['API documentation of {provider}', 'API-Dokumentation von {provider}'],
  outgoing: [
    'If the key allows only certain addresses, add those that this service calls from: {addresses}',
    'Wenn der Schlüssel nur bestimmte Adressen erlaubt, fügen Sie die Adressen hinzu, von denen dieser Dienst Anbieter aufruft: {addresses}',
  ],
  show: ['Show', 'Zeigen'],
  hide: ['Hide', 'Verbergen'],
  showValue: ['Show {name}', '{name} zeigen'],
  hideValue: ['Hide {name}', '{name} verbergen'],
  optional: ['Optional.', 'Freiwillig.'],
  sometimes: ['Only some credentials have one.', 'Nur manche Zugangsdaten haben es.'],
  wholeFile: ['The whole content of the file.', 'Der ganze Inhalt der Datei.'],
  example: ['For example {example}', 'Zum Beispiel {example}'],
  missing: ['{name} is missing.', '{name} fehlt.'],
  unusual: [
    '{name} usually looks different. Compare it; if it is right, check it anyway.',
    '{name} sieht sonst anders aus. Vergleichen Sie; wenn es stimmt, prüfen Sie trotzdem.',
  ],
  pasteHint: [
    'Lines such as NAME=value, a profile of AWS or a section of an .edgerc can be pasted into any field: each value goes to its own.',
    'Zeilen wie NAME=Wert, ein AWS-Profil oder ein Abschnitt einer .edgerc können in jedes Feld eingefügt werden: Jeder Wert kommt in sein Feld.',
  ],
  filled: ['Filled in from the pasted lines: {names}.', 'Aus den eingefügten Zeilen übernommen: {names}.'],
  filledSome: [
    'Filled in from the pasted lines: {names}. Lines left out, because no field is for them: {count}.',
    'Aus den eingefügten Zeilen übernommen: {names}. Ausgelassene Zeilen, für die es kein Feld gibt: {count}.',
  ],
  purpose: ['What is it for? (optional)', 'Wofür ist er? (freiwillig)'],
  purposeWhy: [
    'The check then says whether the key fits, as far as that can be read. Nothing is changed at the provider.',
    'Die Prüfung sagt dann, ob der Schlüssel dafür taugt, soweit sich das lesen lässt. Beim Anbieter wird nichts geändert.',
  ],
  zone: ['Zone', 'Zone'],
  zoneHint: ['Such as example.com', 'Etwa example.com'],
  ability: ['It has to', 'Er muss können'],
  anyAbility: ['No ability in particular', 'Nichts Bestimmtes'],
  check: ['Check key', 'Schlüssel prüfen'],
  checking: ['Checking …', 'Wird geprüft …'],
  checkAgain: ['Check again', 'Erneut prüfen'],
  checkAnyway: ['Check key anyway', 'Schlüssel trotzdem prüfen'],
  clear: ['Clear', 'Leeren'],
  outcome: ['Result of the check', 'Ergebnis der Prüfung'],
  valid: ['Valid', 'Gültig'],
  validWithWarnings: ['Valid, with warnings', 'Gültig, mit Warnungen'],
  validUnfit: ['Valid, but does not fit its purpose', 'Gültig, aber für den Zweck ungeeignet'],
  invalid: ['Not valid', 'Ungültig'],
  unknown: ['Not known', 'Nicht bekannt'],
  warnings: ['Warnings', 'Warnungen'],
  advice: ['Advice', 'Rat'],
  limited: ['Limit reached: the key was not checked', 'Grenze erreicht: Der Schlüssel wurde nicht geprüft'],
  limitedMeaning: [
    'Too many checks were asked for in a short time. This says nothing about the key.',
    'In kurzer Zeit wurden zu viele Prüfungen verlangt. Über den Schlüssel sagt das nichts.',
  ],
  notChecked: ['The key was not checked.', 'Der Schlüssel wurde nicht geprüft.'],
  retryAt: [
    'A new try makes sense in {seconds} s, at {time}.',
    'Ein neuer Versuch lohnt sich in {seconds} s, um {time}.',
  ],
  fitsPurpose: ['Fits its purpose', 'Für den Zweck geeignet'],
  fits: ['Yes', 'Ja'],
  fitsNot: ['No', 'Nein'],
  notBefore: ['Valid from', 'Gültig ab'],
  may: ['May', 'Darf'],
  mayNot: ['May not', 'Darf nicht'],
  missingRights: ['Missing', 'Fehlt'],
  owner: ['Owner', 'Inhaber'],
  limitedByOwner: [
    'May do less: the provider also limits it to what its owner may do, and that was not read.',
    'Darf womöglich weniger: Der Anbieter beschränkt ihn auf das, was sein Inhaber darf, und das wurde nicht gelesen.',
  ],
  scopes: ['Scopes', 'Scopes'],
  zones: ['Zones', 'Zonen'],
  zonesCount: ['{count} visible', '{count} sichtbar'],
  zonesFirst: ['{count} visible, the first {shown}:', '{count} sichtbar, die ersten {shown}:'],
  zonesMore: ['More than {count}, the first:', 'Mehr als {count}, die ersten:'],
  services: ['Only for services', 'Nur für Dienste'],
  addresses: ['Only from addresses', 'Nur von Adressen'],
  credential: ['Credential', 'Zugangsdaten'],
  code: ['Code', 'Code'],
  checkedAt: ['Checked', 'Geprüft'],
  fromCache: ['from the cache', 'aus dem Zwischenspeicher'],
  fresh: ['fresh from the provider', 'frisch vom Anbieter'],
})

/** What the answers of a provider are known from. */
export const certaintyTexts = defineTexts<Provider['certainty']>({
  documented: [
    'The answers of {provider} are known from its documentation.',
    'Die Antworten von {provider} sind aus der Dokumentation bekannt.',
  ],
  logged: [
    'The answers of {provider} are known from real calls.',
    'Die Antworten von {provider} sind aus echten Aufrufen bekannt.',
  ],
  'client code': [
    'The answers of {provider} are known from the code of other programs.',
    'Die Antworten von {provider} sind aus dem Code anderer Programme bekannt.',
  ],
  guess: [
    'Few answers of {provider} are known. Any other answer decides nothing.',
    'Von {provider} sind wenige Antworten bekannt. Jede andere entscheidet nichts.',
  ],
})

/** What a missing verdict means, by the code of the problem. */
export const unknownTexts = defineTexts<UnknownCode>({
  provider_unreachable: [
    '{provider} could not be reached. The key may be valid or not.',
    '{provider} war nicht erreichbar. Der Schlüssel kann gültig sein oder nicht.',
  ],
  provider_busy: [
    '{provider} takes no further checks from this service right now. The key was not checked.',
    '{provider} nimmt von diesem Dienst gerade keine Prüfungen an. Der Schlüssel wurde nicht geprüft.',
  ],
  key_checks_held: [
    '{provider} rejected several of your keys recently. This one was not checked.',
    '{provider} hat zuletzt mehrere Ihrer Schlüssel abgelehnt. Dieser wurde nicht geprüft.',
  ],
  provider_timeout: [
    '{provider} did not answer in time. The key may be valid or not.',
    '{provider} hat nicht rechtzeitig geantwortet. Der Schlüssel kann gültig sein oder nicht.',
  ],
  provider_refused: [
    '{provider} refused the key without saying whether it is valid. Do not replace the key for this.',
    '{provider} hat den Schlüssel abgelehnt, ohne zu sagen, ob er gültig ist. Ersetzen Sie den Schlüssel deswegen nicht.',
  ],
  provider_answer_unexpected: [
    '{provider} gave an answer that Muster does not recognize. It decides nothing.',
    '{provider} hat etwas geantwortet, das Muster nicht kennt. Es entscheidet nichts.',
  ],
  provider_address_refused: [
    '{provider} refuses calls from the address of this service. Add the address to the list of the account, then check again.',
    '{provider} lehnt Aufrufe von der Adresse dieses Dienstes ab. Nehmen Sie die Adresse in die Liste des Kontos auf und prüfen Sie erneut.',
  ],
  provider_clock_refused: [
    '{provider} refused the time of the request. This says nothing about the key.',
    '{provider} hat die Uhrzeit der Anfrage abgelehnt. Über den Schlüssel sagt das nichts.',
  ],
})

/** What was pasted in place of a value, by the code of the verdict. */
export const unsentTexts = defineTexts({
  other_provider: ['This is a key of another provider.', 'Das ist ein Schlüssel eines anderen Anbieters.'],
  other_service: ['This is a key of another service.', 'Das ist ein Schlüssel eines anderen Dienstes.'],
  other_part: [
    'A value is in the wrong field. Enter each value in its own field.',
    'Ein Wert steht im falschen Feld. Geben Sie jeden Wert in sein Feld ein.',
  ],
  variable_name: [
    'This is the name of a variable. Enter its value.',
    'Das ist der Name einer Variablen. Geben Sie ihren Wert ein.',
  ],
  masked: [
    'A part of the value is hidden by dots or asterisks. Copy the whole value, or create a new key.',
    'Ein Teil des Werts ist durch Punkte oder Sternchen verdeckt. Kopieren Sie den ganzen Wert oder erstellen Sie einen neuen Schlüssel.',
  ],
  no_value: [
    'Programs write this for a missing value. Check where it was copied from.',
    'So schreiben Programme einen fehlenden Wert. Prüfen Sie, woher er kopiert wurde.',
  ],
  placeholder: [
    'This is a placeholder. Enter the value itself.',
    'Das ist ein Platzhalter. Geben Sie den Wert selbst ein.',
  ],
  secret_reference: [
    'This is a reference to a secret store. Enter the value that it refers to.',
    'Das ist ein Verweis auf einen Geheimnisspeicher. Geben Sie den Wert ein, auf den er verweist.',
  ],
  web_address: ['This is a URL. Enter the value itself.', 'Das ist eine URL. Geben Sie den Wert selbst ein.'],
  email_address: [
    'This is an email address. Enter the value itself.',
    'Das ist eine E-Mail-Adresse. Geben Sie den Wert selbst ein.',
  ],
  domain_name: [
    'This is a domain name. Enter the value itself.',
    'Das ist ein Domainname. Geben Sie den Wert selbst ein.',
  ],
  pem_block: [
    'This is a certificate or a key in PEM form. Copy the value that this field is for.',
    'Das ist ein Zertifikat oder ein Schlüssel im PEM-Format. Kopieren Sie den Wert, der in dieses Feld gehört.',
  ],
  encoded_text: [
    'This is a header or a file in base64. Decode it and copy the value alone.',
    'Das ist eine Kopfzeile oder Datei in Base64. Dekodieren Sie sie und kopieren Sie nur den Wert.',
  ],
  several_values: [
    'This is JSON, YAML or a list of settings. Copy the value alone.',
    'Das ist JSON, YAML oder eine Liste von Einstellungen. Kopieren Sie nur den Wert.',
  ],
  ended_service: [
    'This is a credential of a service that has ended.',
    'Das sind Zugangsdaten eines Dienstes, den es nicht mehr gibt.',
  ],
  malformed_part: [
    'A part of the key is not well-formed. Copy it again.',
    'Ein Teil des Schlüssels ist fehlerhaft. Kopieren Sie ihn noch einmal.',
  ],
  unmatched_parts: [
    'Two values do not belong together. Copy both again.',
    'Zwei Werte gehören nicht zusammen. Kopieren Sie beide noch einmal.',
  ],
})

export function isUnsent(code: string): code is keyof typeof unsentTexts {
  return Object.hasOwn(unsentTexts, code)
}

export const abilityTexts = defineTexts<Ability>({
  'zones:list': ['list zones', 'Zonen auflisten'],
  'dns:read': ['read DNS records', 'DNS-Einträge lesen'],
  'dns:edit': ['edit DNS records', 'DNS-Einträge ändern'],
  'cdn:read': ['read CDN settings', 'CDN-Einstellungen lesen'],
  'cdn:edit': ['edit CDN settings', 'CDN-Einstellungen ändern'],
  'cdn:purge': ['purge objects from the CDN', 'einzelne Objekte aus dem CDN entfernen'],
  'cdn:purge_all': ['purge everything from the CDN', 'alles aus dem CDN entfernen'],
})
