import assert from 'node:assert/strict'
import { test } from 'node:test'
import { optOutIntent, stopPhrases, stopWordProblem } from './opt-out-intent.ts'

test('optOutIntent returns stop for the usual forms of STOP in English, Hinglish and Hindi', () => {
	const forms = [
		'STOP',
		'stop',
		' Stop. ',
		'STOP!!!',
		'STOP ❤️',
		'Stop please',
		'UNSUBSCRIBE',
		'Opt out',
		'opt-out',
		'OPTOUT',
		'Cancel',
		'Unsubscribe from Promos',
		'Unsubscribe from All',
		'Stop promotions',
		'Band karo',
		'message mat bhejo 🙏',
		'mat bhejo',
		'बंद करो',
		'बंद करो।',
		'मत भेजो',
		'ｓｔｏｐ',
		'Don’t message me',
		'Please stop sending me messages',
		'kindly unsubscribe',
		'band karo please 🙏',
		'कृपया बंद करें',
		'Stop now, please.',
	]
	for (const form of forms) assert.equal(optOutIntent(form), 'stop', form)
})

test('optOutIntent returns null for a sentence that contains a stop word', () => {
	const others = [
		"don't stop",
		'do not stop',
		'Where is the bus stop?',
		'stop by at 5',
		'nonstop',
		'I want to cancel my order',
		'Can I unsubscribe later?',
		'please do not cancel',
		'band karo mat',
		'दुकान बंद करो कब',
		'ruko',
		'',
		'🙏',
		'the end',
		'Start',
		'bandh',
		'one-stop shop',
		'stop'.repeat(50),
		'Stop by tomorrow',
		'cancel my order',
		'Can you stop the delivery of order 12',
		'when does the offer stop?',
		'Stop. The bus is here',
		'Hi, does the bus stop here?',
		'please dont stop',
		'never stop',
		'stop start',
		'message band mat karo',
		'मैसेज बंद मत करो',
		'धन्यवाद',
		'ok thank you',
		'stop '.repeat(1000),
	]
	for (const other of others) assert.notEqual(optOutIntent(other), 'stop', other)
})

test('optOutIntent returns stop for a stop word with greetings, thanks, pleas and repetition around it', () => {
	const forms = [
		'Stop. Thank you',
		'STOP thanks',
		'STOP STOP',
		'STOP STOP STOP',
		'Hi stop',
		'ok stop',
		'stop now',
		'Hello sir, please stop it now. Thank you so much 🙏',
		'Not interested. Stop!',
		'stop stop please stop',
		'STOOOP',
		'unsubcribe',
		'Remove my number from your list',
		"don't send me any more messages",
		'I do not want to receive these messages from you',
		'नमस्ते, मैसेज बंद कर दीजिए। धन्यवाद',
		'stop '.repeat(100),
	]
	for (const form of forms) assert.equal(optOutIntent(form), 'stop', form)
})

test('optOutIntent returns stop for stop words of Indian languages in their scripts and in Latin letters', () => {
	const forms = {
		hindi: ['बंद', 'मुझे मैसेज नहीं चाहिए', 'mujhe msg mat bhejo', 'band kar dijiye'],
		marathi: ['बंद करा', 'थांबवा', 'मेसेज पाठवू नका', 'message band kara', 'msg pathvu naka'],
		gujarati: ['બંધ કરો', 'મેસેજ મોકલશો નહીં', 'bandh karo', 'message na moklo'],
		bengali: ['বন্ধ করুন', 'মেসেজ পাঠাবেন না', 'bondho korun', 'message pathaben na'],
		tamil: ['நிறுத்து', 'நிறுத்துங்கள்', 'மெசேஜ் அனுப்ப வேண்டாம்', 'niruthu', 'message anuppa vendam'],
		telugu: ['ఆపండి', 'మెసేజ్‌లు పంపవద్దు', 'aapandi', 'message pampavaddu'],
		kannada: ['ನಿಲ್ಲಿಸಿ', 'ಮೆಸೇಜ್ ಕಳಿಸಬೇಡಿ', 'nillisi', 'message kalisbedi'],
		malayalam: ['നിർത്തുക', 'നിര്‍ത്തുക', 'മെസ്സേജ് അയക്കരുത്', 'nirthuka', 'message ayakkaruthu'],
		punjabi: ['ਬੰਦ ਕਰੋ', 'ਮੈਸੇਜ ਨਾ ਭੇਜੋ', 'message na bhejo', 'band kar deo'],
		odia: ['ବନ୍ଦ କରନ୍ତୁ', 'ମେସେଜ୍ ପଠାନ୍ତୁ ନାହିଁ', 'banda karantu', 'message pathantu nahi'],
		assamese: ['বন্ধ কৰক', 'মেছেজ নপঠাব', 'bondho korok', 'message napathabo'],
		urdu: ['بند کرو', 'بند كرو', 'میسج مت بھیجیں', 'پیغام نہیں چاہیے'],
	}
	for (const form of Object.values(forms).flat()) assert.equal(optOutIntent(form), 'stop', form)
})

test('optOutIntent returns start for START and its forms, also with courtesies and in other languages', () => {
	for (const form of ['START', 'Ok start please', 'Resume', 'शुरू करो', 'chalu karo', 'सुरू करा', 'শুরু করুন', 'شروع کریں'])
		assert.equal(optOutIntent(form), 'start', form)
	for (const other of ['when do you start?', 'start the car', 'my resume', "don't start"])
		assert.equal(optOutIntent(other), null, other)
})

test('optOutIntent returns stop for an account’s own words, alone or with courtesies, and null for a sentence with one', () => {
	const own = stopPhrases(['Bye-bye offers', 'Nahi!'])
	for (const form of ['bye bye offers', 'BYE BYE OFFERS thanks', 'nahi', 'Nahi nahi', 'nahi stop'])
		assert.equal(optOutIntent(form, own), 'stop', form)
	for (const other of ['nahi mila', 'bye bye', 'offers']) assert.equal(optOutIntent(other, own), null, other)
})

/** Phrases of an account without any, which count how often they are looked up. */
class CountedPhrases extends Map<string, 'stop'> {
	lookUps = 0

	override get(phrase: string): 'stop' | undefined {
		this.lookUps++
		return super.get(phrase)
	}
}

test('optOutIntent takes at most five times as many look-ups for a message of four times as many words', () => {
	const [few = 0, many = 0] = [125, 500].map((times) => {
		const own = new CountedPhrases()
		assert.equal(optOutIntent('stop ok '.repeat(times), own), 'stop')
		return own.lookUps
	})
	assert.ok(few > 0 && many <= 5 * few, `${few} and ${many} look-ups`)
})

test('stopWordProblem refuses courtesies, words for START and words without letters', () => {
	assert.match(stopWordProblem('Thank you') ?? '', /greeting or courtesy/)
	assert.match(stopWordProblem('START') ?? '', /asks for offers again/)
	assert.match(stopWordProblem('👍') ?? '', /no letters or digits/)
	assert.equal(stopWordProblem('nahi'), null)
})
