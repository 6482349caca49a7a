import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import { doubtIn, lookUpNumber } from './phone-plan.ts'
import { readNumber } from './phone-reader.ts'
import { displayNumber, isSpellingOf } from './phone.ts'

suite('displayNumber', () => {
	test('displayNumber formats a number as its country does', () => {
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
		// Kazakhstan shares Russia's code but groups differently.
		const wrong = getCountries()
			.filter((country) => country !== 'KZ')
			.map((country) => getExampleNumber(country, examples))
			.filter((example) => example !== undefined)
			.map((example) => ({ shown: displayNumber(example.number.slice(1)), expected: example.formatInternational() }))
			.filter(({ shown, expected }) => shown !== expected.replaceAll('-', ' '))
		assert.deepEqual(wrong, [])
	})

	test('displayNumber separates only the code when the length is not a mobile number’s, and nothing when no country has the code', () => {
		assert.equal(displayNumber('9812345'), '+98 12345')
		assert.equal(displayNumber('99912345'), '+99912345')
		assert.equal(displayNumber('91'), '+91')
	})

	test('readNumber reads the result of displayNumber as the same number', () => {
		const numbers = ['919876543210', '14155552671', '98123456', '5491123456789', '390612345678']
		assert.deepEqual(
			numbers.map((number) => readNumber(displayNumber(number))),
			numbers,
		)
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
		['18005551234', null, 'A toll-free number'],
		['9118001234567', 'India', 'A toll-free number'],
		['448001111111', 'United Kingdom', 'A toll-free number'],
		['99912345', null, 'No country has numbers that begin like this'],
		['91', null, 'No country has numbers that begin like this'],
	]
	for (const [number, country, doubt] of cases) {
		test(`lookUpNumber finds that ${number} ${doubt === null ? 'looks like a mobile number' : `is doubtful: ${doubt}`}`, () => {
			assert.deepEqual(lookUpNumber(number), { country, doubt })
		})
	}

	test('doubtIn names the country when there is one', () => {
		assert.equal(doubtIn('9812345'), 'Too short for a mobile number (Iran)')
		assert.equal(doubtIn('99912345'), 'No country has numbers that begin like this')
		assert.equal(doubtIn('919876543210'), null)
	})
})

test('isSpellingOf accepts each way to write the number, and neither another number nor a name', () => {
	const spelled = [
		'+919822012345',
		'919822012345',
		'9822012345',
		'098220 12345',
		'0091-98220-12345',
		'+91 (98220) 12345',
	]
	for (const text of spelled) assert.equal(isSpellingOf(text, '919822012345'), true, text)
	for (const text of ['9822012346', '2345', 'Asha', 'Asha 9822012345', '', '+'])
		assert.equal(isSpellingOf(text, '919822012345'), false, text)
})
