import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { editText, insertVariable, toggleMark, withExamples } from './variables.ts'

/** Reads a text whose bar marks the caret: "Hi |there". */
function at(marked: string): { text: string; caret: number } {
	return { text: marked.replace('|', ''), caret: marked.indexOf('|') }
}

function shown({ text, caret }: { text: string; caret: number }): string {
	return `${text.slice(0, caret)}|${text.slice(caret)}`
}

suite('insertVariable', () => {
	test('inserts {{1}} at the caret and leaves the caret behind it when there is no variable yet', () => {
		const edited = insertVariable({ text: 'Hi , welcome', examples: [] }, { from: 3, to: 3 })
		assert.equal(shown(edited), 'Hi {{1}}|, welcome')
		assert.deepEqual(edited.examples, [''])
	})

	test('inserts the next number, whatever follows the caret', () => {
		const edited = insertVariable({ text: 'Hi {{1}} and {{2}}.', examples: ['Asha', 'Pune'] }, { from: 0, to: 0 })
		assert.equal(shown(edited), '{{3}}|Hi {{1}} and {{2}}.')
		assert.deepEqual(edited.examples, ['Asha', 'Pune', ''])
	})

	test('replaces the selection, and renumbers when a variable was selected', () => {
		const edited = insertVariable({ text: 'A {{1}} B {{2}} C', examples: ['one', 'two'] }, { from: 2, to: 7 })
		assert.equal(shown(edited), 'A {{2}}| B {{1}} C')
		assert.deepEqual(edited.examples, ['two', ''])
	})
})

suite('editText', () => {
	const three = { text: 'A {{1}} B {{2}} C {{3}} D', examples: ['one', 'two', 'three'] }

	test('keeps the examples when only words change', () => {
		const edited = editText(three, at('A {{1}} Bee| {{2}} C {{3}} D'))
		assert.equal(shown(edited), 'A {{1}} Bee| {{2}} C {{3}} D')
		assert.deepEqual(edited.examples, three.examples)
	})

	test('renumbers the others and their examples when a variable was cut out', () => {
		const edited = editText(three, at('A | B {{2}} C {{3}} D'))
		assert.equal(shown(edited), 'A | B {{1}} C {{2}} D')
		assert.deepEqual(edited.examples, ['two', 'three'])
	})

	test('removes the whole variable when Backspace takes its last brace', () => {
		const edited = editText(three, at('A {{1}} B {{2}| C {{3}} D'))
		assert.equal(shown(edited), 'A {{1}} B | C {{2}} D')
		assert.deepEqual(edited.examples, ['one', 'three'])
	})

	test('removes the whole variable when Delete takes its first brace', () => {
		const edited = editText(three, at('A {{1}} B |{2}} C {{3}} D'))
		assert.equal(shown(edited), 'A {{1}} B | C {{2}} D')
	})

	test('removes both variables when a deleted range reaches into two', () => {
		const edited = editText(three, at('A {{|}} C {{3}} D'))
		assert.equal(shown(edited), 'A | C {{1}} D')
		assert.deepEqual(edited.examples, ['three'])
	})

	test('keeps the variable when a brace typed before it is deleted again', () => {
		const edited = editText({ text: 'A {{{1}} B', examples: ['one'] }, at('A |{{1}} B'))
		assert.equal(shown(edited), 'A |{{1}} B')
		assert.deepEqual(edited.examples, ['one'])
	})

	test('keeps one example when a repeated variable is deleted once', () => {
		const edited = editText(
			{ text: '{{1}} and {{1}} and {{2}}', examples: ['one', 'two'] },
			at('{{1}} and | and {{2}}'),
		)
		assert.equal(shown(edited), '{{1}} and | and {{2}}')
		assert.deepEqual(edited.examples, ['one', 'two'])
	})

	test('gives a variable typed by hand the next number', () => {
		const edited = editText({ text: 'Hi {{1}} {{7}', examples: ['one'] }, at('Hi {{1}} {{7}}|'))
		assert.equal(shown(edited), 'Hi {{1}} {{2}}|')
		assert.deepEqual(edited.examples, ['one', ''])
	})

	test('keeps names and their examples when another named variable is deleted', () => {
		const before = { text: 'Hi {{name}}, {{city}} and {{day}}', examples: ['Asha', 'Pune', 'Monday'] }
		const edited = editText(before, at('Hi {{name}}, | and {{day}}'))
		assert.equal(shown(edited), 'Hi {{name}}, | and {{day}}')
		assert.deepEqual(edited.examples, ['Asha', 'Monday'])
	})

	test('moves the caret with the text when a number before it gets shorter', () => {
		const text = Array.from({ length: 10 }, (_, index) => `{{${index + 1}}}`).join(' ')
		const examples = Array.from({ length: 10 }, (_, index) => String(index + 1))
		const edited = editText({ text, examples }, { text: `${text.slice(6)}.`, caret: text.length - 5 })
		assert.equal(shown(edited), `${text.slice(0, -7)}.|`)
		assert.deepEqual(edited.examples, examples.slice(1))
	})
})

test('withExamples keeps a variable without an example', () =>
	assert.equal(withExamples({ text: 'Hi {{1}}, order {{2}}', examples: ['Asha', ' '] }), 'Hi Asha, order {{2}}'))

suite('toggleMark', () => {
	test('encloses the selection and keeps it selected', () =>
		assert.deepEqual(toggleMark('big sale', { from: 0, to: 3 }, '*'), { text: '*big* sale', from: 1, to: 4 }))

	test('removes the marks around an enclosed selection', () =>
		assert.deepEqual(toggleMark('*big* sale', { from: 1, to: 4 }, '*'), { text: 'big sale', from: 0, to: 3 }))

	test('leaves the caret between two marks when nothing is selected', () =>
		assert.deepEqual(toggleMark('a ', { from: 2, to: 2 }, '```'), { text: 'a ``````', from: 5, to: 5 }))
})
