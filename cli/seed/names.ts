/** Demo users and organizations. The order matters: the same seed must pick the same names. */
export const givenNames: readonly string[] =
  'Aaliyah Ada Akira Amara Anna Arjun Beatriz Björn Carlos Chiara Chloé Daniel Dmitri Elif Emeka Emma Fatima Finn Gabriela Grace Hana Hugo Ines Ivan Jakub Jin Kenji Lars Layla Léa Li Lucía Mateo Mei Mira Mohammed Noah Nour Olga Omar Paweł Priya Quinn Rahul Rosa Samir Sofia Tomás Uma Viktor Wanjiru Xin Yara Zoë'.split(
    ' ',
  )

export const familyNames: readonly string[] =
  'Abdi Andersson Baker Bianchi Bakker Chen Costa Diallo Dubois Eriksen Evans Fernández Fischer García Gupta Haddad Hansen Horváth Ivanova Jansen Kamau Kaya Kim Kowalska Larsen Lopez Meyer Moreau Müller Nakamura Novák Nguyen O’Brien Okafor Papadopoulos Patel Petrov Quiroga Rossi Santos Sato Silva Singh Smith Svensson Tanaka Torres Ueda Varga Walker Weber Yılmaz Zhang Zieliński'.split(
    ' ',
  )

export const organizationNames: readonly string[] =
  'Northwind Logistics|Bluebird Media|Kestrel & Sons|Harbour Analytics|Juniper Health|Copper Kettle Coffee|Studio Nord|Tidewater Games|Fernweh Travel|Granite Publishing|Lumen Energy|Paper Lantern Press|Quarry Tools|Saffron Kitchens'.split(
    '|',
  )

export const factorNames: readonly string[] = 'Phone|Tablet|Work laptop|Spare key|Password manager'.split('|')

/** The words below are for large populations. These are names as in email addresses, from several languages. */
export const givenWords: readonly string[] =
  'olivia noah emma liam amelia jack ava oscar lukas mia hannah felix lena jonas marie hugo louise chloe lucas camille sofia mateo lucia pablo martina giulia leonardo alice francesco wei ming xin hao yuki haruto sakura ren aoi priya arjun ananya vihaan fatima omar yusuf layla zoe ivan olga dmitri anastasia jan zuzanna piotr ingrid lars freja eino quentin wanjiru emeka amara linh minho jiwoo beatriz tomas elif'.split(
    ' ',
  )

export const familyWords: readonly string[] =
  'smith jones taylor brown williams muller schmidt schneider fischer weber martin bernard dubois petit moreau garcia rodriguez lopez gonzalez rossi russo ferrari bianchi wang zhang chen liu yang sato suzuki takahashi tanaka sharma patel singh kumar gupta khan hassan ali ahmed ivanov petrov smirnov kowalski nowak wisniewski hansen johansson nielsen korhonen virtanen silva santos oliveira costa nguyen tran kim park okafor mwangi yilmaz demir'.split(
    ' ',
  )

/** How some of these families write their names. The emails above cannot have these letters. */
export const familySpellings: Readonly<Record<string, string>> = {
  ...{ muller: 'müller', garcia: 'garcía', rodriguez: 'rodríguez', lopez: 'lópez', gonzalez: 'gonzález' },
  ...{ wisniewski: 'wiśniewski', yilmaz: 'yılmaz', nguyen: 'nguyễn', tran: 'trần', ivanov: 'иванов' },
  ...{ smirnov: 'смирнов', wang: '王', zhang: '张', sato: '佐藤', tanaka: '田中', kim: '김', park: '박' },
}

/** A domain that is listed more often gets more users. */
export const mailDomains: readonly string[] =
  'gmail.com gmail.com gmail.com gmail.com outlook.com outlook.com yahoo.com icloud.com hotmail.com web.de gmx.net orange.fr libero.it seznam.cz qq.com 163.com naver.com proton.me example.com example.org corp.example xn--mller-kva.example'.split(
    ' ',
  )

export const companyWords: readonly string[] =
  'Nordlicht|Blaue Brücke|Müller & Söhne|Atelier Étoile|Café Léger|Panadería Sol|Río Claro|Officina Luce|Zażółć|Čedok|Ψηφιακή|Северный ветер|光明科技|未来工房|サクラ商事|한빛|Ağaç|Ørsted Lab|Smith "Wire"|O’Brien; Partners|=SUM Holdings|Analytical Engines|Blue Anchor|Rapid River|Quiet Harbour|Green Lantern|Cedar Works|Iron Gate|Silver Fern|Open Field'.split(
    '|',
  )

export const companyForms: readonly string[] =
  'GmbH|AG|SARL|SAS|S.L.|S.p.A.|Ltd|LLC|Inc.|AB|Oy|ApS|Sp. z o.o.|株式会社|有限公司|Lda'.split('|')
