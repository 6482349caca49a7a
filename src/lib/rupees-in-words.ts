const units = [
	'',
	'One',
	'Two',
	'Three',
	'Four',
	'Five',
	'Six',
	'Seven',
	'Eight',
	'Nine',
	'Ten',
	'Eleven',
	'Twelve',
	'Thirteen',
	'Fourteen',
	'Fifteen',
	'Sixteen',
	'Seventeen',
	'Eighteen',
	'Nineteen',
]
const tens = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety']

/**
 * Writes an amount as Indian receipts do: 12345650 paise are Rupees One Lakh Twenty-Three Thousand Four Hundred
 * Fifty-Six and Fifty Paise Only.
 */
export function rupeesInWords(paise: number): string {
	if (!Number.isSafeInteger(paise) || paise < 0) throw new RangeError(`${paise} is no amount to be written in words`)
	const digits = String(paise).padStart(3, '0')
	const rupees = words(Number(digits.slice(0, -2)))
	const rest = underHundred(Number(digits.slice(-2)))
	if (!rest) return `Rupees ${rupees || 'Zero'} Only`
	return rupees ? `Rupees ${rupees} and ${rest} Paise Only` : `${rest} Paise Only`
}

const scales: [size: number, name: string][] = [
	[10_000_000, 'Crore'],
	[100_000, 'Lakh'],
	[1000, 'Thousand'],
	[100, 'Hundred'],
]

/** Returns a number in words; an empty text for 0. */
function words(number: number): string {
	const scale = scales.find(([size]) => number >= size)
	if (!scale) return underHundred(number)
	const [size, name] = scale
	return `${words(Math.trunc(number / size))} ${name} ${words(number % size)}`.trim()
}

function underHundred(number: number): string {
	if (number < 20) return units[number] ?? ''
	return [tens[Math.trunc(number / 10)], units[number % 10]].filter(Boolean).join('-')
}
