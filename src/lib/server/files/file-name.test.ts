import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKey } from '../storage/storage.ts'
import { fileNameOf, keyEndOf, nameFromForm, nameInKey } from './file-name.ts'

const LONG = 'क'.repeat(300)

for (const [given, name] of [
	['मूल्य सूची.pdf', 'मूल्य सूची.pdf'],
	['Rate "List".pdf', 'Rate "List".pdf'],
	['../../etc/\u202egpj.svg', 'gpj.svg'],
	['C:\\fakepath\\offer.pdf', 'offer.pdf'],
	['...hidden\r\n.pdf', 'hidden.pdf'],
	['ക്\u200d.pdf', 'ക്\u200d.pdf'],
	[`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
	['a'.repeat(300), 'a'.repeat(200)],
	[`${'a'.repeat(195)}${'😀'.repeat(9)}.pdf`, `${'a'.repeat(195)}.pdf`],
	['\u200f', ''],
] as const)
	test(`fileNameOf returns ${name.slice(0, 30)} for ${given.slice(0, 30)}`, () => assert.equal(fileNameOf(given), name))

test('nameFromForm decodes the quotes that browsers encode in a form, and leaves other characters', () => {
	assert.equal(nameFromForm('Rate %22List%22 100%.pdf'), 'Rate "List" 100%.pdf')
	assert.equal(nameFromForm('a%0D%0Ab%20c.pdf'), 'ab%20c.pdf')
})

test('nameInKey returns the name that keyEndOf wrote into a key, shortened before its ending', () => {
	for (const name of ['मूल्य सूची.pdf', 'price-list.pdf', 'Rate "List" (1).pdf', 'a.b.pdf', '-name-x.pdf']) {
		const key = `12/headers/${keyEndOf('3f2b-1', name, '.pdf')}`
		assert.ok(isKey(key), key)
		assert.equal(nameInKey(key), name)
	}
	const long = `12/headers/${keyEndOf('3f2b7c1e-0000-4000-8000-000000000000', `${LONG}.pdf`, '.pdf')}`
	assert.ok(isKey(long))
	assert.equal(nameInKey(long), `${'क'.repeat(50)}.pdf`)
	const both = `1234567890/headers/${keyEndOf('3f2b7c1e-0000-4000-8000-000000000000', `${'a'.repeat(80)}${LONG}.jpeg`, '.jpeg')}`
	assert.ok(isKey(both), both)
	assert.equal(nameInKey(both), `${'a'.repeat(80)}${'क'.repeat(23)}.jpeg`)
	assert.equal(nameInKey('12/headers/1/price-list.pdf'), 'price-list.pdf')
	assert.equal(nameInKey('photo.jpg'), 'photo.jpg')
})
