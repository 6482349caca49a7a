import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropColours, keepUsedRules } from '../scripts/build/purge-css.ts'

const USED = new Set(['m_11111111'])
const purge = (css: string) => keepUsedRules(css, USED)

test('keepUsedRules removes a rule whose class is not used, and keeps the others in order', () => {
	assert.equal(purge('a{b:c}.m_22222222{d:e}.m_11111111{f:g}.own{h:i}'), 'a{b:c}.m_11111111{f:g}.own{h:i}')
})

test('keepUsedRules removes only the unused selectors of a list', () => {
	assert.equal(purge('.m_22222222,.m_11111111:hover,p{a:b}'), '.m_11111111:hover,p{a:b}')
})

test('keepUsedRules removes a selector that combines a used class with an unused one', () => {
	assert.equal(purge('.m_11111111 .m_22222222{a:b}'), '')
})

test('keepUsedRules ignores the classes inside :where, :is and :not, which are alternatives', () => {
	const css = '.m_11111111:where(.m_22222222,.m_33333333):not(:is(.m_22222222)){a:b}'
	assert.equal(purge(css), css)
})

test('keepUsedRules filters the rules inside nested conditions, and removes a condition that is left empty', () => {
	const css = '@media print{@supports (a:b){.m_22222222{a:b}.m_11111111{c:d}}}@layer x{.m_22222222{a:b}}'
	assert.equal(purge(css), '@media print{@supports (a:b){.m_11111111{c:d}}}')
})

test('keepUsedRules keeps keyframes, font faces and statements without a block', () => {
	const css = '@charset "utf-8";@import "a.css";@keyframes m_22222222{from{a:b}to{a:c}}@font-face{src:url(a)}'
	assert.equal(purge(css), css)
})

test('keepUsedRules reads braces, semicolons and escaped quotes inside a string as text', () => {
	const css = String.raw`.m_11111111{content:"}\";{"}.own[title=';{']{a:b}`
	assert.equal(purge(`${css}.m_22222222{content:'}'}`), css)
})

test('dropColours removes the variables of a colour, and keeps those of the others', () => {
	const css = ':root{--mantine-color-pink-0:#fff;--mantine-color-red-0:#f00;--mantine-color-pink-light-hover:var(--a)}'
	assert.equal(dropColours(css, ['pink', 'lime']), ':root{--mantine-color-red-0:#f00;}')
})
