import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropUnusedHues, keepUsedRules } from '../scripts/build/purge-css.ts'

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

test('dropUnusedHues removes the variables of a colour that nothing names, and leaves what stands beside them', () => {
	const css =
		':root{--a:b;--mantine-color-pink-6:#f0f;--mantine-color-pink-text:var(--mantine-color-pink-6);--c:d}p{e:f}'
	assert.equal(dropUnusedHues(css, ''), ':root{--a:b;--c:d}p{e:f}')
	assert.equal(dropUnusedHues(':root{--a:b;--mantine-color-lime-0:red}', ''), ':root{--a:b;}')
})

test('dropUnusedHues keeps a colour that another rule, a script or a component’s property names', () => {
	const css = ':root{--mantine-color-teal-8:#0ff;--mantine-color-pink-6:#f0f}'
	const ruled = `${css}p{color:var(--mantine-color-teal-8)}i{color:var(--mantine-color-pink-6)}`
	assert.equal(dropUnusedHues(ruled, ''), ruled)
	assert.equal(dropUnusedHues(css, 'x({color:`teal`});y("var(--mantine-color-pink-6)")'), css)
})
