import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cpuMs } from '#test/readers/cpu-time.ts'
import {
	fillValue,
	findTag,
	hasStrayTagBraces,
	lengthError,
	mergeTags,
	parseValue,
	previewComponents,
	slotsOf,
	tagsWithoutFallback,
	unsendablePart,
	valueError,
	fallbackOf,
	withFallback,
	withKnownTags,
} from './values.ts'

test('slotsOf returns a slot for every placeholder of header, body and link buttons, in the order of Meta’s components', () => {
	const slots = slotsOf([
		{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
		{ type: 'BODY', text: 'Hi {{2}}, {{1}} and {{2}} again' },
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'QUICK_REPLY', text: 'Stop' },
				{ type: 'URL', text: 'Track', url: 'https://x.example/{{1}}' },
			],
		},
	])
	assert.deepEqual(
		slots.map((slot) => slot.key),
		['header1', 'var1', 'var2', 'url2'],
	)
})

test('slotsOf names slots after their named variables, and slots of the header with a prefix', () => {
	const slots = slotsOf([
		{ type: 'HEADER', format: 'TEXT', text: 'For {{first_name}}' },
		{ type: 'BODY', text: 'Hi {{first_name}}, order {{order_id}} and {{first_name}} again' },
		{ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE10' }] },
	])
	assert.deepEqual(
		slots.map(({ key, number, name }) => [key, number, name]),
		[
			['header_first_name', 1, 'first_name'],
			['first_name', 1, 'first_name'],
			['order_id', 2, 'order_id'],
			['code1', 1, undefined],
		],
	)
})

function shown(type: string, text: string, variables: Record<string, string>): string | undefined {
	return previewComponents([{ type, text }], variables)[0]?.text
}

test('previewComponents fills positional and named variables, and keeps placeholders without a value', () => {
	assert.equal(shown('BODY', 'Hi {{1}}, {{2}}', { var1: 'Asha', var2: '' }), 'Hi Asha, {{2}}')
	assert.equal(shown('BODY', 'Hi {{first_name}}', { first_name: 'Asha' }), 'Hi Asha')
	assert.equal(shown('HEADER', 'For {{first_name}}', { header_first_name: 'Asha' }), 'For Asha')
})

test('unsendablePart returns the part that campaigns cannot fill', () => {
	assert.equal(
		unsendablePart([
			{ type: 'BODY', text: 'Hi' },
			{ type: 'FOOTER', text: 'x' },
		]),
		null,
	)
	assert.equal(unsendablePart([{ type: 'CAROUSEL' }]), 'a part of the kind CAROUSEL')
	assert.equal(unsendablePart([{ type: 'HEADER', format: 'PRODUCT' }]), 'a header of the kind PRODUCT')
	assert.equal(unsendablePart([{ type: 'BUTTONS', buttons: [{ type: 'MPM' }] }]), 'a button of the kind MPM')
	const products = [{ components: [{ type: 'HEADER', format: 'PRODUCT' }] }]
	const carousel = [
		{ type: 'BODY', text: 'Hi' },
		{ type: 'CAROUSEL', cards: products },
	]
	assert.equal(unsendablePart(carousel), 'cards with a header of the kind PRODUCT')
})

test('fillValue replaces merge tags by the recipient’s values, or by their fallback', () => {
	const value = 'Dear {{firstName|friend}} {{ lastName }}'
	assert.deepEqual(mergeTags({ var1: value }), ['firstName', 'lastName'])
	assert.equal(
		fillValue(parseValue(value), (tag) => (tag === 'lastName' ? 'Rao' : null)),
		'Dear friend Rao',
	)
})

test('parseValue parses 1,024 characters of near tags or many tags in less than 20 ms of processor time', () => {
	for (const value of [
		`{{${' '.repeat(1021)}`,
		'{{'.repeat(512),
		`{{a${' '.repeat(1000)}|`,
		'{{a|b'.repeat(200),
		'{{a}}'.repeat(204),
	]) {
		assert.ok(cpuMs(() => parseValue(value)) < 20, value.slice(0, 20))
	}
})

test('fillValue of a parsed value without merge tags returns the same text', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			fc.pre(!/\{\{.*\}\}/s.test(text))
			assert.equal(
				fillValue(parseValue(text), () => null),
				text,
			)
		}),
	)
})

test('tagsWithoutFallback returns each tag without a fallback once, in the order of use', () => {
	const variables = { var1: 'Hi {{firstName}} of {{City}}', var2: '{{City}}, {{Shop|our shop}}', var3: 'plain' }
	assert.deepEqual(tagsWithoutFallback(variables), ['firstName', 'City'])
	assert.deepEqual(tagsWithoutFallback({ var1: '{{City|Pune}}', var2: '{{City}}' }), ['City'])
})

test('lengthError names the first value of a header or body too long for every recipient, and counts a merge tag as one character', () => {
	const components = [
		{ type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
		{ type: 'BODY', text: 'Hi {{1}}, {{2}}' },
	]
	const given = { header1: 'you', var1: '{{firstName}}', var2: 'x'.repeat(1018) }
	assert.equal(lengthError(components, given), null)
	assert.deepEqual(lengthError(components, { ...given, var2: 'x'.repeat(1019) }), {
		key: 'var1',
		message: 'With these values the body is 1,025 characters long. WhatsApp takes 1,024.',
	})
	assert.equal(lengthError(components, { ...given, header1: '😀'.repeat(56) }), null)
	assert.equal(lengthError(components, { ...given, header1: 'x'.repeat(57) })?.key, 'header1')
})

test('hasStrayTagBraces returns true for unclosed, nested, empty and triple braces, and false for tags and single braces', () => {
	for (const value of ['{{name', 'name}}', '{{a|{{b}}}}', '{{{name}}}', 'x {{}} y', '{{name} x', '{{a}} {{b', '{{a|b'])
		assert.equal(hasStrayTagBraces(value), true, value)
	for (const value of ['{{name}}', '{{a}}{{b|c}}', '{a}', 'a } b { c', '', '{{a|x (y) [z]}}'])
		assert.equal(hasStrayTagBraces(value), false, value)
})

test('withKnownTags spells tags as they exist, whatever their case and spaces, and prefers an exact match', () => {
	const tags = ['City', 'city', 'Amount due']
	const typed = { a: '{{city}} {{CITY|x}} {{ amount  DUE |soon}} {{town}}' }
	assert.deepEqual(withKnownTags(typed, tags), { a: '{{city}} {{City|x}} {{Amount due|soon}} {{town}}' })
	assert.equal(findTag(' CITY ', ['City']), 'City')
	assert.equal(findTag('cities', tags), undefined)
})

test('valueError names a blank value, a line break, a tab and five spaces in a row, and accepts four spaces', () => {
	assert.equal(valueError(' '), 'is empty')
	assert.equal(valueError('a\nb'), 'has a line break')
	assert.equal(valueError('a\tb'), 'has a tab')
	assert.equal(valueError('a     b'), 'has more than four spaces in a row')
	assert.equal(valueError('a    b'), null)
})

test('withFallback sets the fallback wherever a tag is used, preserves typed spaces, and removes an empty one', () => {
	const value = withFallback('Hi {{ name }} and {{name|you}} of {{city}}', 'name', 'dear {friend} ')
	assert.equal(value, 'Hi {{name|dear friend }} and {{name|dear friend }} of {{city}}')
	assert.equal(fallbackOf(value, 'name'), 'dear friend ')
	assert.equal(fallbackOf(value, 'city'), '')
	assert.equal(withFallback(value, 'name', ''), 'Hi {{name}} and {{name}} of {{city}}')
})
