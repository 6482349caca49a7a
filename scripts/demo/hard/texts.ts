/** Texts that people really type and that break a layout made for short Latin words. */

const HINDI = 'श्रीमती लक्ष्मीनारायणी विश्वनाथन-चक्रवर्ती त्रिपाठी अन्नपूर्णा देवी'
const TAMIL = 'திருவேங்கடசுப்பிரமணியம் கிருஷ்ணமூர்த்தி மீனாட்சிசுந்தரம் பிள்ளை'
const ARABIC = 'عبد الرحمن بن محمد بن عبد الله آل سليمان الهاشمي (التجارية) 2026'
const URDU = 'محترمہ فاطمہ زہرا صدیقی بنتِ ڈاکٹر عبدالقدوس خان، حیدرآباد 500001'
const EMOJI = '👩🏽‍💻🎉 Zoë 👨‍👩‍👧‍👦 Fernandes 🇮🇳 ✨❤️‍🔥 🏳️‍🌈 '
const LATIN = 'Venkatanarasimharajuvaripeta Chandrasekhararao Bhattacharjee '
const UNBROKEN = 'Sri_Venkateshwara_Wholesale_Textiles_And_Readymade_Garments_'

/** Names of 60 characters, each in another script. */
export const HARD_NAMES: readonly string[] = [
	ofLength(HINDI, 60),
	ofLength(TAMIL, 60),
	ofLength(EMOJI, 60),
	ofLength(ARABIC, 60),
	ofLength(URDU, 60),
	ofLength(LATIN, 60),
	ofLength(UNBROKEN, 60),
	// A right-to-left override reverses the text after it, unless the name is isolated (`<bdi>`).
	'\u202Egnirts desrever a\u202C and \u2067a name with marks of direction',
	'O',
	'"Quoted" & <b>Marked</b>, ‘Comma’; \\Back/Slash |Pipe| =1+1 %20',
]

export const HARD_GROUPS: readonly { name: string; description: string }[] = [
	{ name: ofLength(UNBROKEN, 80), description: ofLength(LATIN, 500) },
	{ name: ofLength('Customers who bought twice in the festive season and live in ', 80), description: '' },
	{ name: ofLength(HINDI, 80), description: ofLength(HINDI, 300) },
	{ name: ofLength(TAMIL, 80), description: ofLength(TAMIL, 300) },
	{ name: ofLength(ARABIC, 80), description: ofLength(ARABIC, 300) },
	{ name: ofLength(EMOJI, 80), description: '🎉'.repeat(120) },
	{ name: '\u202Etpecxe ydobyreve', description: unbroken(500) },
	{ name: 'A', description: 'B' },
	{ name: 'عملاء 2026 (VIP)', description: 'Mixed: عملاء, ग्राहक, வாடிக்கையாளர்கள்' },
	{ name: ofLength(LATIN, 100), description: 'As long as a name may be' },
	{ name: 'Group 11', description: 'So that there is a second page' },
	{ name: 'Group 12', description: 'With nobody in it' },
]

export const LONG_ERROR = ofLength(
	'(#131000) The message could not be handed over, as the receiving side answered with an error that nobody has described yet; see https://developers.example/docs/whatsapp/cloud-api/support/error-codes?code=131000&details=none_were_given_by_the_network for more. ',
	500,
)

export const UNBROKEN_ERROR = `InternalError:${unbroken(486)}`

/** Repeats `text` and cuts it to the given number of code points, or a few less so that no character is split. */
export function ofLength(text: string, length: number): string {
	let cut = ''
	let left = length
	for (const { segment } of new Intl.Segmenter('en').segment(`${text} `.repeat(Math.ceil(length / text.length) + 1))) {
		left -= Array.from(segment).length
		if (left < 0) break
		cut += segment
	}
	return cut.trim()
}

/** Returns one long word without a break opportunity. */
export function unbroken(length: number): string {
	return 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'
		.repeat(Math.ceil(length / 81))
		.slice(0, length)
}
