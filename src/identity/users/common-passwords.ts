// Detects passwords that are easy to guess. A list of leaked passwords does not help with a minimum
// of fifteen characters: nearly all of them are shorter, and people extend what they know. So this
// analyzes the structure: known words and phrases, runs on the keyboard or in the alphabet,
// repetitions, `@` for `a`, `2024!` at the end. It uses no network.

// Words, phrases and runs are one piece each. There are about a thousand pieces, so three give at
// most 10^9 guesses; four random ones are a passphrase.
const pieces_max = 3

// Endings such as `1`, `99`, `123!` and `2024!` do not count, because every cracking tool appends
// them. Longer endings count, because random digits are hard to guess.
const ending_max = 5

// Repeating a pattern of up to this length does not make a password harder to guess.
const period_max = 8

export function isCommonPassword(password: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase()
  // Spaces do not make `correct horse battery staple` harder to guess.
  const compact = typed.replace(/[\s._-]/g, '')
  return [typed, compact].some((text) => isRepetition(text) || isMadeOfFewPieces(text))
}

function isRepetition(text: string): boolean {
  const shortest = text.length - endingLength(text)
  for (let period = 1; period <= period_max; period++) {
    let at = period
    while (at < text.length && text[at] === text[at - period]) at += 1
    if (at >= 2 * period && at >= shortest) return true
  }
  return false
}

function isMadeOfFewPieces(text: string): boolean {
  const readings = [text, unmask(text, 'i'), unmask(text, 'l')]
  // The minimum number of pieces of each suffix, computed from the end.
  const fewest = new Array<number>(text.length + 1).fill(Number.POSITIVE_INFINITY)
  fewest.fill(0, text.length - endingLength(text))
  for (let at = text.length - 1; at >= 0; at--) {
    for (const end of endsOfPieces(readings, at)) {
      fewest[at] = Math.min(fewest[at]!, fewest[end]! + 1)
    }
  }
  return fewest[0]! <= pieces_max
}

/** The number of digits and symbols at the end, up to `ending_max`. */
function endingLength(text: string): number {
  let length = 0
  while (length < ending_max && length < text.length && !/\p{L}/u.test(text.at(-1 - length)!)) {
    length += 1
  }
  return length
}

const masks: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '(': 'c',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
}

/** Replaces digits and symbols with the characters they imitate. `1`, `!` and `|` become `one`. */
function unmask(text: string, one: 'i' | 'l'): string {
  return text.replace(/[^a-z]/g, (sign) => masks[sign] ?? (/[1!|]/.test(sign) ? one : sign))
}

function* endsOfPieces(readings: readonly string[], at: number): Generator<number> {
  const run_end = endOfRun(readings[0]!, at)
  for (let end = at + run_length_min; end <= run_end; end++) yield end
  for (const reading of readings) {
    for (const phrase of phrasesByInitial.get(reading[at]!) ?? []) {
      if (reading.startsWith(phrase, at)) yield at + phrase.length
    }
  }
}

// Two adjacent keys in a row occur in many words; three rarely do.
const run_length_min = 3

/** The end of the longest run from `at`: along the keyboard, in the alphabet, or of one key. */
function endOfRun(text: string, at: number): number {
  let farthest = at
  for (const next of followers) {
    let end = at + 1
    while (end < text.length && next.get(text[end - 1]!) === text[end]) end += 1
    farthest = Math.max(farthest, end)
  }
  return farthest
}

// Sequences of keys. Each is used forwards, backwards and cyclically, so that 890123 and cba are
// runs too: left to right on three layouts, top to bottom, and zigzag between the first two rows.
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '1234567890',
  '!@#$%^&*()',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1q2w3e4r5t6y7u8i9o0p',
  '13579',
  '24680',
]

const followers: readonly ReadonlyMap<string, string>[] = [
  ...rows.flatMap((row) => [row, [...row].reverse().join('')]).map(followersIn),
  new Map([...'abcdefghijklmnopqrstuvwxyz0123456789!?.*#-_ '].map((key) => [key, key])),
]

function followersIn(row: string): ReadonlyMap<string, string> {
  return new Map([...row].map((key, at) => [key, row[(at + 1) % row.length]!]))
}

// Common passwords, most of them in every leak since 2009; then words that are combined into longer
// passwords; then phrases that are long enough alone.
const phrases =
  `password passwort passwd pass pwd motdepasse contrasena senha parola wachtwoord haslo salasana
   admin administrator root user guest login logon signin access secret private letmein letme
   welcome welcomeback hello hallo bonjour hola ciao test testing tester demo sample example
   default changeme change temp temporary master manager superuser super operator service server
   system database oracle mysql postgres postgresql docker kubernetes jenkins windows linux
   ubuntu android iphone apple google facebook twitter instagram linkedin youtube netflix amazon
   microsoft adobe internet computer laptop samsung nokia sony yahoo gmail hotmail email mail
   office work company business money bank payment payments stripe paypal bitcoin crypto wallet
   visa dollar florin sandbox iloveyou iloveu ilove loveyou loveme love lovely lover forever
   always baby babygirl babyboy sweet sweetheart honey angel princess prince queen king daddy
   mommy mother father family sister brother friend friends bestfriend girl boy sexy beautiful
   pretty cutie happy smile sunshine rainbow flower butterfly summer winter spring autumn january
   february march april may june july august september october november december monday tuesday
   wednesday thursday friday saturday sunday morning night dragon monkey tiger lion eagle falcon
   phoenix panther bear wolf shark dolphin horse kitten kitty cat dog doggy puppy pepper ginger
   cookie chocolate cheese banana orange apples peanut coffee pizza shadow hunter ranger soldier
   warrior killer ninja samurai pirate wizard magic merlin gandalf hobbit batman superman
   spiderman ironman hulk joker pokemon pikachu mario zelda minecraft fortnite roblox starwars
   startrek matrix skywalker yoda anakin hogwarts harrypotter potter naruto football soccer
   baseball basketball hockey tennis golf golfer cricket rugby racing ferrari porsche mercedes
   mustang corvette camaro harley yamaha honda toyota jordan lakers cowboys steelers yankees
   redsox eagles packers raiders patriots arsenal chelsea liverpool barcelona realmadrid juventus
   michael michelle jennifer jessica ashley nicole daniel andrew matthew anthony charlie robert
   thomas william joshua justin george maggie amanda melissa samantha elizabeth victoria
   alexander maria anna david john james jack harry sophie oliver buster bailey tigger snoopy
   garfield freedom liberty america american canada england london paris berlin madrid newyork
   california texas jesus christ jesuschrist god blessed heaven faith hope trust trustno trustno1
   peace lucky winner whatever nothing something anything everything qwerty azerty qwertz asdf
   asdfgh zxcvbn zxcvbnm qwe asd zxc abc abcd abcdef qaz wsx edc rfv blink182 ncc1701 rush2112
   bond007 thx1138 access14 jordan23 red blue green black white purple silver golden yellow pink
   star stars moon sun fire water earth metallica nirvana slipknot eminem beatles guitar music
   rock rockyou rockstar player gamer games hacker hacked security secure letmeout opensesame
   sesame abracadabra open please thanks thankyou new old big my mine me you your is a an the i
   am we are not no yes one two three four five six seven eight nine ten for and of to in it this
   that with only best first last thisisapassword thisismypassword mypassword yourpassword
   nopassword newpassword oldpassword passwordistaco mypasswordis passwordispassword
   thepasswordis passphrase mypassphrase enteryourpassword pleaseletmein letmeinplease letmeinnow
   donttellanyone dontforget forgotpassword iforgotmypassword ihatepasswords ilovepasswords
   longpassword averylongpassword verylongpassword reallylongpassword strongpassword
   securepassword supersecretpassword supersecret topsecret mysecretpassword secretpassword
   masterpassword adminpassword rootpassword userpassword defaultpassword changethispassword
   changeyourpassword changemeplease pleasechangeme changemenow temporarypassword testpassword
   testtesttest examplepassword passwordexample samplepassword administratorpassword
   systemadministrator itadministrator databaseadministrator correcthorsebatterystaple
   horsebatterystaple batterystaple correcthorse staplebatteryhorsecorrect troubador troubadour
   tr0ub4dor3 thequickbrownfox quickbrownfox jumpsoverthelazydog
   thequickbrownfoxjumpsoverthelazydog fourwordsalluppercase onetwothreefour onetwothreefourfive
   ilovemyself ilovemyfamily ilovemywife ilovemyhusband ilovemydog ilovemycat ilovemymom
   ilovemymum ilovemykids ilovemychildren ilovemybaby ilovemyboyfriend ilovemygirlfriend
   ilovejesus ilovegod iloveyousomuch iloveyouforever iloveyoubaby iloveyoumom iloveyoualways
   iwillalwaysloveyou loveyouforever loveofmylife youaremylife youaremysunshine youarethebest
   iamthebest iamawesome iamironman iambatman imthebest bestfriendsforever friendsforever
   foreverandever foreveralone happybirthday happybirthdaytoyou merrychristmas happynewyear
   helloworld hellohello hellokitty hakunamatata supercalifragilisticexpialidocious
   antidisestablishmentarianism llanfairpwllgwyngyll maytheforcebewithyou theforceisstrong
   lukeiamyourfather lukeskywalker darthvader obiwankenobi chewbacca millenniumfalcon
   livelongandprosper beammeupscotty startrekvoyager enterprise youshallnotpass
   oneringtorulethemall lordoftherings gameofthrones winteriscoming harrypotterandthe alohomora
   expectopatronum wingardiumleviosa avadakedavra houstonwehaveaproblem openthepodbaydoors
   openthepodbaydoorshal thereisnospoon followthewhiterabbit thecakeisalie
   allyourbasearebelongtous neverguess youwillneverguess youllneverguess neverguessthis
   youcantguessthis cantguessthis guesswho guessmypassword nevergonnagiveyouup rickastley
   tobeornottobe tobeornottobethatisthequestion tobeornottobethatis inthebeginning
   inthebeginningwastheword forgodsolovedtheworld thelordismyshepherd jesusismysavior jesussaves
   jesuslovesme jesusislord ingodwetrust godisgood godisgreat godislove godblessamerica
   godblessyou allahuakbar bismillah bismillahirrahmanirrahim mashallah alhamdulillah insyaallah
   onceuponatime somewhereovertherainbow twinkletwinklelittlestar maryhadalittlelamb humptydumpty
   whatsyourname whatismyname mynameis whoareyou whocares idontknow idontcare idontremember
   manchesterunited manutd realmadridcf fcbarcelona youllneverwalkalone visca newenglandpatriots
   dallascowboys losangeleslakers pittsburghsteelers sanfrancisco newyorkcity newyorkyankees
   losangeles lasvegas unitedstates unitedstatesofamerica unitedkingdom greatbritain
   godsavethequeen godsavetheking southafrica newzealand thebeatles ledzeppelin pinkfloyd
   redhotchilipeppers linkinpark backstreetboys michaeljackson bobmarley greenday
   avengedsevenfold ironmaiden stairwaytoheaven bohemianrhapsody teenagemutantninjaturtles
   spongebob spongebobsquarepants scoobydoo mickeymouse donaldduck winniethepooh sonicthehedgehog
   supermario supermariobros legendofzelda callofduty worldofwarcraft leagueoflegends
   counterstrike grandtheftauto assassinscreed finalfantasy dragonball dragonballz masterchief
   pokemongo`.split(/\s+/)

const phrasesByInitial = Map.groupBy(phrases, (phrase) => phrase[0]!)
