import type { Schemas } from '@muster/client'

type RequestOptions = Schemas['PasskeyRequest']['options']

/** A browser that reads the options as JSON (WebAuthn Level 3). */
export const hasPasskeys = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** The browser's own dialog. Throws a `DOMException` where the user cancels it. */
export async function askForPasskey(options: RequestOptions): Promise<Schemas['PasskeyCredential']> {
  // Trust boundary: the service makes the options for this function (WebAuthn Level 3 §5.1.9), and the browser the credential for the service.
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as Schemas['PasskeyCredential']
}

/** Makes a passkey by the browser's own dialog. Throws a `DOMException` where the user cancels it. */
export async function makePasskey(
  options: Schemas['PasskeyCreation']['options'],
): Promise<Schemas['NewPasskeyCredential']> {
  // Trust boundary: as for `askForPasskey` (WebAuthn Level 3 §5.1.8).
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as Schemas['NewPasskeyCredential']
}
