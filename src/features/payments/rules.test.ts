import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { refundedBetween, takenBackOf, taxOf, totalOf } from './rules.ts'

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

test('refundedBetween returns parts of the refunded money whose sums over all refunds are those of the payment', () => {
	const paise = fc.integer({ min: 100, max: 1_000_000_000 })
	const percent = fc.integer({ min: 1, max: 2800 }).map((hundredths) => hundredths / 100)
	const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
	fc.assert(
		fc.property(paise, percent, cuts, fc.boolean(), (creditPaise, rate, shares, isOther) => {
			const tax = taxOf(creditPaise, { percent: rate, issuerState: '27', payerState: isOther ? '29' : '27' })
			const amounts = { creditPaise, ...tax }
			const total = totalOf(amounts)
			const sum = { creditPaise: 0, cgstPaise: 0, sgstPaise: 0, igstPaise: 0, roundingPaise: 0 }
			let from = 0
			for (const to of [...shares.map((share) => Math.floor(share * total)), total]) {
				const parts = refundedBetween(amounts, from, to)
				assert.equal(totalOf(parts) + parts.roundingPaise, Math.abs(to - from))
				assert.equal(parts.cgstPaise, parts.sgstPaise)
				assert.ok(Math.abs(parts.roundingPaise) <= 1)
				assert.equal(parts.creditPaise, Math.abs(takenBackOf(amounts, to) - takenBackOf(amounts, from)))
				for (const key of ['creditPaise', 'cgstPaise', 'sgstPaise', 'igstPaise', 'roundingPaise'] as const) {
					assert.ok(key === 'roundingPaise' || parts[key] >= 0)
					sum[key] += Math.sign(to - from) * parts[key]
				}
				from = to
			}
			assert.deepEqual(sum, { ...amounts, roundingPaise: 0 })
		}),
	)
})
