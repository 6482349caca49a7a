import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { doubtIn, isPossibleNumber, lookUpNumber } from './phone-plan.ts'
import { canonicalNumber, displayNumber } from './phone.ts'

suite('displayNumber', () => {
	test('displayNumber writes a number as its own country does', () => {
		const shown = ['919876543210', '14155552671', '971501234567', '447911123456', '8613812345678'].map(displayNumber)
		assert.deepEqual(shown, [
			'+91 98765 43210',
			'+1 415 555 2671',
			'+971 50 123 4567',
			'+44 7911 123456',
			'+86 138 1234 5678',
		])
	})

	test('displayNumber groups the example of every country as libphonenumber does', () => {
		// Kazakhstan shares Russia's code, and groups otherwise.
		const wrong = getCountries()
			.filter((country) => country !== 'KZ')
			.map((country) => getExampleNumber(country, examples))
			.filter((example) => example !== undefined)
			.map((example) => ({ shown: displayNumber(example.number.slice(1)), expected: example.formatInternational() }))
			.filter(({ shown, expected }) => shown !== expected.replaceAll('-', ' '))
		assert.deepEqual(wrong, [])
	})

	test('displayNumber separates the code alone where the length is not a mobile number’s, and nothing where no country has it', () => {
		assert.equal(displayNumber('9812345'), '+98 12345')
		assert.equal(displayNumber('99912345'), '+99912345')
		assert.equal(displayNumber('91'), '+91')
	})

	test('what displayNumber shows is read back as the same number', () => {
		const numbers = ['919876543210', '14155552671', '9812345', '5491123456789', '390612345678']
		assert.deepEqual(
			numbers.map((number) => canonicalNumber(displayNumber(number))),
			numbers,
		)
	})
})

suite('canonicalNumber', () => {
	test('canonicalNumber takes ten digits after 00 for the country that they name, where its mobile numbers are so long', () => {
		for (const [typed, number] of [
			['0065 8123 4567', '6581234567'],
			['00960 771 2345', '9607712345'],
			['+65 8123 4567', '6581234567'],
			['00 1 415 555 2671', '14155552671'],
			['0091 98765 43210', '919876543210'],
			// No country's: one zero too many before an Indian number.
			['00 98765 43210', '919876543210'],
			['0 65812 34567', '916581234567'],
			['65812 34567', '916581234567'],
		] as const)
			assert.equal(canonicalNumber(typed), number, typed)
	})

	test('canonicalNumber reads a number that was copied from a document or a contact card, with its dashes and invisible signs', () => {
		for (const typed of [
			'98765\u201343210',
			'98765\u201143210',
			'+91\u00a098765\u221243210',
			'\u202a+91 98765 43210\u202c',
			'98765\u200b43210',
		])
			assert.equal(canonicalNumber(typed), '919876543210', JSON.stringify(typed))
	})

	test('canonicalNumber reads one leading zero as India dials it, and refuses what is then no whole number', () => {
		for (const [typed, number] of [
			['098765 43210', '919876543210'],
			['022 2654 1000', '912226541000'],
			['0 91 98765 43210', '919876543210'],
			['0 971 50 123 4567', '971501234567'],
			// Nine digits after the zero: a digit is missing, and nobody meant Iran.
			['0987654321', null],
			// As the Emirates dial their own.
			['0501234567', null],
			['0', null],
		] as const)
			assert.equal(canonicalNumber(typed), number, typed)
	})
})

suite('lookUpNumber', () => {
	const cases: [number: string, country: string | null, doubt: string | null][] = [
		['919876543210', 'India', null],
		['9812345', 'Iran', 'Too short for a mobile number'],
		['9715012345678', 'United Arab Emirates', 'Too long for a mobile number'],
		['912226541000', 'India', 'Does not look like a mobile number'],
		['911234567890', 'India', 'Does not look like a mobile number'],
		['442079460958', 'United Kingdom', 'Does not look like a mobile number'],
		['447400123456', 'United Kingdom', null],
		['14155552671', 'United States', null],
		['18005551234', null, 'Does not look like a mobile number'],
		['99912345', null, 'No country has numbers that begin like this'],
		['91', null, 'No country has numbers that begin like this'],
	]
	for (const [number, country, doubt] of cases) {
		test(`lookUpNumber finds that ${number} ${doubt === null ? 'looks like a mobile number' : `is doubtful: ${doubt}`}`, () => {
			assert.deepEqual(lookUpNumber(number), { country, doubt })
		})
	}

	test('doubtIn names the country where there is one', () => {
		assert.equal(doubtIn('9812345'), 'Too short for a mobile number (Iran)')
		assert.equal(doubtIn('99912345'), 'No country has numbers that begin like this')
		assert.equal(doubtIn('919876543210'), null)
	})
})

test('isPossibleNumber says of every calling code and length what the complete numbering plans say', () => {
	const wrong: string[] = []
	for (let code = 1; code < 1000; code++) {
		for (let length = 2; length <= 15; length++) {
			for (const rest of ['2', '5', '90']) {
				const number = `${code}${rest.repeat(15)}`.slice(0, length)
				const isPossible = parsePhoneNumberFromString(`+${number}`)?.isPossible() ?? false
				if (isPossibleNumber(number) !== isPossible) wrong.push(number)
			}
		}
	}
	assert.deepEqual(wrong, [])
})
