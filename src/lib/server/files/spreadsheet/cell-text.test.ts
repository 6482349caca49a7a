import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberFormatOf, numberText } from './cell-text.ts'

/** Returns the text of a cell with this value and number format. */
function shown(value: number | string, format: string | number, is1904 = false): string {
	const own = typeof format === 'string' ? new Map([[164, format]]) : new Map<number, string>()
	return numberText(String(value), numberFormatOf(typeof format === 'string' ? 164 : format, own), is1904)
}

const DAY = 46_361
const EVENING = DAY + 0.739583333333

for (const [value, format, text] of [
	[DAY, 14, '2026-12-05'],
	[EVENING, 14, '2026-12-05'],
	[EVENING, 22, '2026-12-05 17:45'],
	[DAY, 22, '2026-12-05'],
	[DAY, 15, '5-Dec-26'],
	[DAY, 17, 'Dec-26'],
	[0.4375, 20, '10:30'],
	[0.4375, 18, '10:30 AM'],
	[0.4376, 21, '10:30:09'],
	[DAY + 0.4375, 20, '10:30'],
	[0.4375, 22, '10:30'],
	[0.4375, 14, '10:30'],
	[1.104166666667, 46, '26:30:00'],
	[0.0052, 45, '07:29'],
	[DAY, '[$-F800]dddd, mmmm dd, yyyy', '2026-12-05'],
	[DAY, 'dd/mm/yyyy', '05/12/2026'],
	[DAY, 'dd-mm-yy', '05-12-26'],
	[DAY, 'mm/dd/yyyy', '2026-12-05'],
	[17_394, 'd-mmm-yy', '1947-08-15'],
	[EVENING, 'm/d/yy h:mm AM/PM', '2026-12-05 17:45'],
	[DAY, '[$-4009]d mmmm\\ yyyy;@', '5 December 2026'],
	[DAY, 'dddd, d mmmm yyyy', 'Saturday, 5 December 2026'],
	[DAY, '"on" dd"th" mmmm yyyy (dddd)', 'on 05th December 2026 (Saturday)'],
	[DAY, '[$-439]d mmmm yyyy', '5 दिसंबर 2026'],
	[DAY, 'mmm', 'Dec'],
	[DAY, 'mmm-yy', 'Dec-26'],
	[EVENING, 'yyyy-mm-dd"T"hh:mm:ss.000', '2026-12-05T17:45:00.000'],
	[0.4375, 'h:mm AM/PM', '10:30 AM'],
	[0.4375, '[hh]:mm', '10:30'],
	[1, 14, '1900-01-01'],
	[59, 14, '1900-02-28'],
	[61, 14, '1900-03-01'],
	[2_958_465, 14, '9999-12-31'],
	[2_958_466, 14, '2958466'],
	[-1, 14, '-1'],
	[9_876_543_210, 'dd/mm/yyyy', '9876543210'],
	[DAY, 0, '46361'],
	[DAY, 'General', '46361'],
	[12.5, 'General" kg"', '12.5 kg'],
	[919_876_543_210, '"+"General', '919876543210'],
	[0.15, 9, '15%'],
	[0.125, 10, '12.50%'],
	[0.126, '0%', '13%'],
	[42, '00000', '00042'],
	[7, '"INV-"0000', 'INV-0007'],
	[9_876_543_210, '"+91 "0', '+91 9876543210'],
	[9_876_543_210, '[<=9999999]###-####;(###) ###-####', '(987) 654-3210'],
	[DAY, '#,##0.00" days"', '46,361.00 days'],
	[1_234_567.5, 4, '1,234,567.50'],
	[1_234_567, '#,##,##0', '12,34,567'],
	[1_250_000, '[$₹-4009]\\ #,##0.00', '₹ 12,50,000.00'],
	[1_250_000, '"Rs. "#,##0', 'Rs. 12,50,000'],
	[12_345_678, '[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0', '1,23,45,678'],
	[123_456, '[>=10000000]##\\,##\\,##\\,##0;[>=100000]##\\,##\\,##0;##,##0', '1,23,456'],
	[1250.5, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', '1,250.50'],
	[0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', '-'],
	[-5, '#,##0;[Red](#,##0);"nil"', '(5)'],
	[0, '#,##0;[Red](#,##0);"nil"', 'nil'],
	[2.25, '[Color5]0.0', '2.3'],
	[12_345, '0.0,"K"', '12.3K'],
	[1.5, 12, '1 1/2'],
	[0.3, '# ??/??', '3/10'],
	[12_345, '0.00E+00', '1.23E+04'],
	[5, ';;;', ''],
	[DAY, '"Yes";"Yes";"No"', 'Yes'],
	[DAY, '[Red]0', '46361'],
	[DAY, '@', '46361'],
	[DAY, '0"]', '46361'],
	[DAY, `"${'d'.repeat(300)}" yyyy`, '46361'],
	['9.19877E+11', '0.00E+00', '919877000000'],
	[' 12 ', 0, '12'],
	['none', 0, 'none'],
	['3E-300', 0, '0'],
	['-2.5E-8', 0, '-0.000000025'],
] as const) {
	test(`numberText returns ${text} for ${String(value)} in the format ${String(format).slice(0, 60)}`, () => {
		assert.equal(shown(value, format), text)
	})
}

const textIn = (code: string) => numberFormatOf(164, new Map([[164, code]])).text(' A  b ')

test('a number format shows texts by its section for texts, and unchanged without one', () => {
	assert.equal(textIn('"Dr. "@'), 'Dr.  A  b ')
	assert.equal(textIn('_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)'), ' A  b ')
	assert.equal(textIn('0;0;0;'), '')
	for (const code of ['General', '@', '0.00', '0;-0']) assert.equal(textIn(code), ' A  b ')
})

test('numberText counts days from 1904 when the workbook does, and leaves times unchanged', () => {
	assert.equal(shown(DAY - 1462, 14, true), '2026-12-05')
	assert.equal(shown(0.4375, 20, true), '10:30')
	assert.equal(shown(5, 0, true), '5')
})
