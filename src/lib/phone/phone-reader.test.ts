import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountries, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max'
import { readCallingCode, withCallingCode } from './calling-code.ts'
import { readNumber, readNumberPart, readNumbers } from './phone-reader.ts'
import { mayBeNumber } from './phone-text.ts'

const ASHA = '919811122001'

suite('readNumber', () => {
	const spellings: Record<string, [number: string, ...typed: string[]]> = {
		'zeros that are dialled before the national number': [
			ASHA,
			'+91 (0) 98111 22001',
			'+91-0 98111 22001',
			'91098111 22001',
			'098111 22001',
			'0091 0 98111 22001',
		],
		'zeros of other countries': ['447911123456', '+44 (0)7911 123456', '44 (0)7911 123456', '0044 07911 123456'],
		'a zero after the code of the Emirates': ['971501234567', '+971 050 123 4567', '0 971 50 123 4567'],
		'a zero where the country dials none': ['6581234567', '+65 0 8123 4567', '0065 8123 4567', '+65 65 8123 4567'],
		'a zero after +1': ['14155552671', '+1 (0) 415 555 2671', '00 1 415 555 2671', '+1 1 415 555 2671'],
		'a zero before an Italian mobile number': ['393471234567', '+39 0347 123 4567', '+39 347 123 4567'],
		'a repeated country code': [
			ASHA,
			'91 91 98111 22001',
			'+919198111 22001',
			'+91 +91 98111 22001',
			'+91 0091 98111 22001',
			'091 98111 22001',
		],
		'a repeated code where the plan knows longer numbers': ['4915123456789', '+49 49 1512 3456789'],
		'digits of the scripts of India': [
			ASHA,
			'९८१११२२००१',
			'৯৮১১১২২০০১',
			'੯੮੧੧੧੨੨੦੦੧',
			'૯૮૧૧૧૨૨૦૦૧',
			'୯୮୧୧୧୨୨୦୦୧',
			'௯௮௧௧௧௨௨௦௦௧',
			'౯౮౧౧౧౨౨౦౦౧',
			'೯೮೧೧೧೨೨೦೦೧',
			'൯൮൧൧൧൨൨൦൦൧',
			'٩٨١١١٢٢٠٠١',
			'۹۸۱۱۱۲۲۰۰۱',
			'᱙᱘᱑᱑᱑᱒᱒᱐᱐᱑',
			'꯹꯸꯱꯱꯱꯲꯲꯰꯰꯱',
			'９８１１１２２００１',
		],
		'marks around and between digits': [
			ASHA,
			'98111 22001,',
			'“98111 22001”',
			'‘98111·22001’',
			'98111_22001',
			'(98111)-22001;',
			'+91.98111.22001',
			'98111\u201322001',
			'+91\u00a098111\u221222001',
			'\u202a+91 98111 22001\u202c',
			'98111\u200b22001',
			'*98111 22001*',
			'98111,22001',
			'9,811,122,001',
		],
		'labels and links': [
			ASHA,
			'Mob: 98111 22001',
			'Mobile No. 98111 22001',
			'M-98111 22001',
			'मो. ९८१११२२००१',
			'98111 22001 (WhatsApp)',
			'Asha (home): 98111 22001',
			'tel:+91-98111-22001',
			'wa.me/919811122001',
			'https://wa.me/919811122001?text=Hello%20there',
			'https://api.whatsapp.com/send?phone=919811122001&text=Hi',
			'whatsapp://send?text=Hi&phone=%2B919811122001',
			'wa.me/9811122001',
		],
		'what spreadsheets make of a number': [
			ASHA,
			'9.19811122001E+11',
			'919811122001.0',
			'="919811122001"',
			"'919811122001",
		],
		'Brazilian numbers without the ninth digit': [
			'5511987654321',
			'551187654321',
			'+55 (0) 11 8765-4321',
			'+55 11 98765-4321',
		],
		'Mexican numbers with a 1': [
			'525512345678',
			'+52 1 55 1234 5678',
			'5215512345678',
			'+52 55 1234 5678',
			'+52 044 55 1234 5678',
		],
		'Argentine numbers without the 9': [
			'5491123456789',
			'541123456789',
			'+54 9 11 2345-6789',
			'+54 11 15 2345-6789',
			'+54 (0) 11 15 2345 6789',
		],
		'landlines with their area': ['912226541000', '022/2654 1000', '(022) 2654 1000', '+91 22 2654 1000'],
		'ten digits after 00 that are no other country’s number': [ASHA, '00 98111 22001', '0091 98111 22001'],
		'an Indian toll-free number': ['9118001234567', '1800 123 4567', '+91 1800 123 4567'],
	}
	for (const [what, [number, ...typed]] of Object.entries(spellings))
		test(`readNumber reads ${what}`, () => {
			for (const text of typed) assert.equal(readNumber(text), number, JSON.stringify(text))
		})

	test('readNumber returns null for text that cannot be a number', () => {
		for (const text of [
			'',
			'+',
			'abc',
			'12',
			'91',
			'+91',
			'1234567',
			'0501234567',
			'0987654321',
			'98765x43210',
			'INV9811122001',
			'9811122001.5',
			'98,11,122.00',
			'05/12/2026 18:30',
			'05-12-2026',
			'#9811122001',
			'98%11122001',
			'9.19E+11',
			'9'.repeat(16),
			'9'.repeat(5000),
			`${'+'.repeat(300)}91`,
			'98111 22001 98111',
			'00000',
		])
			assert.equal(readNumber(text), null, JSON.stringify(text.slice(0, 40)))
	})

	test('readNumber returns null for two numbers, since only one can be meant', () => {
		assert.equal(readNumber('98111 22001 / 98111 22002'), null)
	})

	test('readNumber reads its own result as the same number', () => {
		for (const text of ['98111 22001', '551187654321', '541112345678', '+52 1 55 1234 5678', '+65 8123 4567']) {
			const number = readNumber(text)
			assert.equal(readNumber(`+${number}`), number)
		}
	})
})

test('readNumbers returns the first number of a cell and lists the others', () => {
	const [first, second] = ['919811122051', '919811122052']
	for (const cell of [
		'+91 98111 22051 ::: +91 98111 22052',
		'98111 22051 / 98111 22052',
		'98111 22051, 98111 22052',
		'98111 22051 or 98111 22052',
		'98111 22051\n98111 22052',
		'98111 22051 +91 98111 22052',
		'9811122051 9811122052',
		'Home: 98111 22051; Work: 98111 22052',
	])
		assert.deepEqual(readNumbers(cell), { number: first, others: [second] }, cell)
	assert.deepEqual(readNumbers('98111 22051/52'), { number: first, others: ['52'] })
	assert.deepEqual(readNumbers('NA / 98111 22051'), { number: first, others: [] })
	assert.deepEqual(readNumbers('12345678 / 98111 22051'), { number: first, others: ['12345678'] })
	assert.deepEqual(readNumbers('98111 22051, +91 98111 22051'), { number: first, others: [] })
})

test('withCallingCode joins a number with the calling code next to it', () => {
	for (const [code, typed, number] of [
		['+1', '7025550123', '17025550123'],
		['+65', '81234567', '6581234567'],
		['971', '0501234567', '971501234567'],
		['44', '07911 123456', '447911123456'],
		['+91', '98111 22004', '919811122004'],
		['+91', '919811122004', '919811122004'],
		['+65', '+91 98111 22004', '919811122004'],
		['US', '(702) 555-0123', '17025550123'],
		['India', '98111 22004', '919811122004'],
		['+1 (US)', '14155550123', '14155550123'],
		['1-868', '2911234', '18682911234'],
		['52', '1 55 1234 5678', '525512345678'],
	] as const)
		assert.equal(readNumber(withCallingCode(typed, readCallingCode(code) ?? '')), number, `${code} ${typed}`)
	for (const none of ['', 'abc', '999', '12345', 'C-101']) assert.equal(readCallingCode(none), null, none)
})

test('readNumberPart returns the digits to search for, and a whole number in canonical form', () => {
	for (const [typed, part] of [
		['43210', '43210'],
		['+91 98765-43210', '919876543210'],
		['098765 43210', '9876543210'],
		['+91 (0) 98111 22001', ASHA],
		['९८१११', '98111'],
		['551187654321', '5511987654321'],
		['0', '0'],
		['Asha', null],
		['', null],
	] as const)
		assert.equal(readNumberPart(typed), part, typed)
})

/** Returns the spellings of a number that include its country. */
function spellingsOf(example: PhoneNumber): string[] {
	const code = example.countryCallingCode
	const national = example.formatNational()
	const [e164, significant] = [example.number.slice(1), example.nationalNumber]
	// Omits ambiguous spellings for countries whose national numbers begin with a zero or the calling code.
	const isPlain = !significant.startsWith('0') && !significant.startsWith(code)
	return [
		example.number,
		`00${e164}`,
		example.formatInternational(),
		example.format('RFC3966'),
		`(+${code}) ${example.formatInternational().slice(code.length + 2)}`,
		`wa.me/${e164}`,
		`+${code} ${national}`,
		`Mob: ${example.formatInternational()},`,
		...(isPlain ? [`+${code} (0) ${significant}`, `+${code}${code}${significant}`, `+${code} +${e164}`] : []),
	]
}

suite('numbers of all countries', () => {
	const found = getCountries()
		.map((country) => getExampleNumber(country, examples))
		.filter((example) => example !== undefined)

	test('readNumber reads the example of every country in all spellings as one number', () => {
		assert.ok(found.length > 200)
		const wrong = found.flatMap((example) => {
			const number = readNumber(example.number)
			const isOwn = number === example.number.slice(1) || ['MX', 'AR', 'BR'].includes(example.country ?? '')
			const others = spellingsOf(example).filter((typed) => readNumber(typed) !== number)
			return isOwn && others.length === 0 ? [] : [{ number: example.number, read: number, others }]
		})
		assert.deepEqual(wrong, [])
	})

	test("withCallingCode joins every country's national spelling with its code", () => {
		const wrong = found.filter(
			(example) =>
				readNumber(withCallingCode(example.formatNational(), example.countryCallingCode)) !==
				readNumber(example.number),
		)
		assert.deepEqual(
			wrong.map((example) => [example.country, example.formatNational()]),
			[],
		)
	})

	test('mayBeNumber accepts every spelling that readNumber reads', () => {
		const refused = found.flatMap(spellingsOf).filter((typed) => !mayBeNumber(typed))
		assert.deepEqual(refused, [])
	})
})
