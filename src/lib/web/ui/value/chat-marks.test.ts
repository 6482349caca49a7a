import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '#test/readers/cpu-time.ts'
import { type Piece, readMarks } from './chat-marks.ts'

function shown(text: string): string {
	const html = (pieces: readonly Piece[]): string =>
		pieces
			.map((piece) => (typeof piece === 'string' ? piece : `<${piece.tag}>${html(piece.pieces)}</${piece.tag}>`))
			.join('')
	return html(readMarks(text))
}

test('readMarks reads bold, italic, struck and fixed width, also nested', () => {
	assert.equal(
		shown('Hi *Asha*, _your_ ~old~ order ```A-17 *x*```'),
		'Hi <strong>Asha</strong>, <em>your</em> <s>old</s> order <code>A-17 *x*</code>',
	)
	assert.equal(shown('*Big _sale_ ~now~*'), '<strong>Big <em>sale</em> <s>now</s></strong>')
	assert.equal(shown('*नमस्ते* (*a*)'), '<strong>नमस्ते</strong> (<strong>a</strong>)')
})

test('readMarks leaves a mark literal inside a word, before a space, across lines or alone', () => {
	for (const text of [
		'2*3*4',
		'snake_case_name',
		'* a *',
		'*a *',
		'*a\nb*',
		'5 * 3',
		'**',
		'``````',
		'```a',
		'*a*b',
		'𝐀*b*',
	]) {
		assert.equal(shown(text), text)
	}
	assert.equal(shown('*a*b*'), '<strong>a*b</strong>')
	assert.equal(shown('***'), '<strong>*</strong>')
	assert.equal(shown('*_~a~_*'), '<strong><em><s>a</s></em></strong>')
})

test('readMarks reads 60 kB of unclosed or nested marks in less than 500 ms of processor time', () => {
	for (const text of ['*a '.repeat(20_000), '```'.repeat(20_001), '*_~'.repeat(10_000) + 'x' + '~_*'.repeat(10_000)]) {
		assert.ok(cpuMs(() => readMarks(text)) < 500, text.slice(0, 10))
	}
})
