import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberFormatOf, numberText } from './cell-text.ts'

/** What a cell with this value and number format reads as. */
function shown(value: number | string, format: string | number, is1904 = false): string {
	const own = typeof format === 'string' ? new Map([[164, format]]) : new Map<number, string>()
	return numberText(String(value), numberFormatOf(typeof format === 'string' ? 164 : format, own), is1904)
}

const DAY = 46_361

for (const [value, format, text] of [
	[DAY, 14, '2026-12-05'],
	[DAY + 0.739583333333, 22, '2026-12-05 17:45'],
	[DAY, 22, '2026-12-05'],
	[0.4375, 20, '10:30'],
	[0.4375, 18, '10:30'],
	[0.4376, 21, '10:30:09'],
	[DAY + 0.4375, 20, '10:30'],
	[0.4375, 22, '10:30'],
	[0.4375, 14, '10:30'],
	[1.104166666667, 46, '26:30'],
	[DAY, 'dd/mm/yyyy', '2026-12-05'],
	[DAY, '[$-4009]d mmmm\\ yyyy;@', '2026-12-05'],
	[DAY, 'mmm', '2026-12-05'],
	[DAY + 0.739583333333, 'yyyy-mm-dd"T"hh:mm:ss.000', '2026-12-05 17:45'],
	[0.4375, 'h:mm AM/PM', '10:30'],
	[0.4375, '[hh]:mm', '10:30'],
	[1, 14, '1900-01-01'],
	[59, 14, '1900-02-28'],
	[61, 14, '1900-03-01'],
	[2_958_465, 14, '9999-12-31'],
	[2_958_466, 14, '2958466'],
	[-1, 14, '-1'],
	[DAY, 0, '46361'],
	[DAY, 'General', '46361'],
	[DAY, '#,##0.00" days"', '46361'],
	[DAY, '"Yes";"Yes";"No"', '46361'],
	[DAY, '[Red]0', '46361'],
	[DAY, '@', '46361'],
	[DAY, `"${'d'.repeat(300)}" yyyy`, '46361'],
	['9.19877E+11', '0.00E+00', '919877000000'],
	[' 12 ', 0, '12'],
	['none', 0, 'none'],
	['3E-300', 0, '0'],
	['-2.5E-8', 0, '-0.000000025'],
] as const) {
	test(`numberText returns ${text} for ${String(value)} in the format ${String(format).slice(0, 40)}`, () => {
		assert.equal(shown(value, format), text)
	})
}

test('numberText counts days from 1904 where the workbook does, and leaves times as they are', () => {
	assert.equal(shown(DAY - 1462, 14, true), '2026-12-05')
	assert.equal(shown(0.4375, 20, true), '10:30')
	assert.equal(shown(5, 0, true), '5')
})
