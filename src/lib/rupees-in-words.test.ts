import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rupeesInWords } from './rupees-in-words.ts'

test('rupeesInWords writes an amount in lakhs and crores', () => {
	const said: [paise: number, words: string][] = [
		[0, 'Rupees Zero Only'],
		[1, 'One Paise Only'],
		[50, 'Fifty Paise Only'],
		[100, 'Rupees One Only'],
		[1905, 'Rupees Nineteen and Five Paise Only'],
		[10_000, 'Rupees One Hundred Only'],
		[2_500_000, 'Rupees Twenty-Five Thousand Only'],
		[10_000_000, 'Rupees One Lakh Only'],
		[12_345_650, 'Rupees One Lakh Twenty-Three Thousand Four Hundred Fifty-Six and Fifty Paise Only'],
		[
			9_999_999_999,
			'Rupees Nine Crore Ninety-Nine Lakh Ninety-Nine Thousand Nine Hundred Ninety-Nine and Ninety-Nine Paise Only',
		],
		[10_000_000_000, 'Rupees Ten Crore Only'],
		[
			900_719_925_474_099,
			'Rupees Nine Lakh Seven Hundred Nineteen Crore Ninety-Two Lakh Fifty-Four Thousand Seven Hundred Forty and Ninety-Nine Paise Only',
		],
	]
	for (const [paise, words] of said) assert.equal(rupeesInWords(paise), words)
})

test('rupeesInWords throws for a negative, fractional or unsafe number of paise', () => {
	for (const paise of [-1, 0.5, Number.NaN, Infinity]) assert.throws(() => rupeesInWords(paise), RangeError)
})
