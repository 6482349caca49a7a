import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taxOf, totalOf } from './rules.ts'

test('taxOf splits every amount and rate into equal halves or one part, each within half a paisa of the exact tax', () => {
	const rates = [0.01, 0.25, 1.5, 3, 5, 12, 17.99, 18, 28]
	for (let step = 0; step < 20_000; step++) {
		const credit = step < 2000 ? 10_000 + step : 10_000 + ((step * 2_654_435_761) % 9_990_000)
		const percent = rates[step % rates.length] ?? 18
		const exact = (credit * Math.round(percent * 100)) / 10_000
		const own = taxOf(credit, { percent, issuerState: '27', payerState: step % 2 ? '27' : null })
		const other = taxOf(credit, { percent, issuerState: '27', payerState: '29' })
		assert.equal(own.cgstPaise, own.sgstPaise)
		assert.equal(own.igstPaise + other.cgstPaise + other.sgstPaise, 0)
		assert.ok(Math.abs(own.cgstPaise - exact / 2) <= 0.5 && Math.abs(other.igstPaise - exact) <= 0.5)
		for (const tax of [own, other])
			assert.equal(totalOf({ creditPaise: credit, ...tax }), credit + tax.cgstPaise + tax.sgstPaise + tax.igstPaise)
	}
	const halfPaisa = taxOf(10_050, { percent: 0.01, issuerState: '27', payerState: '27' })
	assert.deepEqual(halfPaisa, { cgstPaise: 1, sgstPaise: 1, igstPaise: 0 })
	assert.deepEqual(taxOf(10_000, { percent: 0, issuerState: '27', payerState: '29' }), {
		cgstPaise: 0,
		sgstPaise: 0,
		igstPaise: 0,
	})
})
