import { defineTexts } from '../texts.ts'
import type { UnknownCode } from './check-key.ts'
import type { Ability } from './credential.ts'

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
    '{provider} gave an answer that Muster does not recognise. It decides nothing.',
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

export const abilityTexts = defineTexts<Ability>({
  'zones:list': ['list zones', 'Zonen auflisten'],
  'dns:read': ['read DNS records', 'DNS-Einträge lesen'],
  'dns:edit': ['edit DNS records', 'DNS-Einträge ändern'],
  'cdn:read': ['read CDN settings', 'CDN-Einstellungen lesen'],
  'cdn:edit': ['edit CDN settings', 'CDN-Einstellungen ändern'],
  'cdn:purge': ['purge objects from the CDN', 'einzelne Objekte aus dem CDN entfernen'],
  'cdn:purge_all': ['purge everything from the CDN', 'alles aus dem CDN entfernen'],
})
