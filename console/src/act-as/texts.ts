import { defineTexts } from '../texts.ts'

export const actAsTexts = defineTexts({
  see: ['See what this person sees', 'Sehen, was diese Person sieht'],
  what: [
    'For 15 minutes you see the account as {name} does. You can change nothing, and the audit trail records what you look at.',
    '15 Minuten lang sehen Sie das Konto wie {name}. Sie können nichts ändern, und das Protokoll hält fest, was Sie ansehen.',
  ],
  reason: ['Reason', 'Grund'],
  reasonHint: [
    'Such as the number of a ticket. It stands in the audit trail.',
    'Etwa die Nummer einer Anfrage. Er steht im Protokoll.',
  ],
  begin: ['See it as {name}', 'Als {name} ansehen'],
  refused: ['You do not see what this person sees.', 'Sie sehen nicht, was diese Person sieht.'],
  disabled: ['A disabled account sees nothing.', 'Ein gesperrtes Konto sieht nichts.'],
  title: ['As {name}', 'Als {name}'],
  banner: [
    'You see what {name} sees. Nothing can be changed here, and the audit trail records it.',
    'Sie sehen, was {name} sieht. Hier lässt sich nichts ändern, und das Protokoll hält es fest.',
  ],
  until: ['It ends', 'Es endet'],
  end: ['Stop seeing this', 'Nicht mehr ansehen'],
  endRefused: ['It has not ended yet; it ends by itself.', 'Es ist noch nicht beendet; es endet von selbst.'],
  ended: ['You do not see the account of {name} any more.', 'Sie sehen das Konto von {name} nicht mehr.'],
  over: [
    'You do not see what this person sees, or not any more.',
    'Sie sehen nicht oder nicht mehr, was diese Person sieht.',
  ],
  overWhat: [
    'Begin again on the page of the person, with a reason.',
    'Beginnen Sie auf der Seite der Person neu, mit einem Grund.',
  ],
  toUser: ['To the person', 'Zur Person'],
  organizationsNone: ['In no organisation.', 'In keiner Organisation.'],
  firstLogin: ['First session', 'Erste Sitzung'],
  firstLoginYes: ['is still to come, or under way', 'steht noch bevor oder läuft'],
  firstLoginNo: ['is over', 'ist vorbei'],
})
