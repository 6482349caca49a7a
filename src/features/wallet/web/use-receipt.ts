import { useState } from 'react'
import { call } from '#lib/web/api.ts'
import { wallet } from '../contract.ts'
import { downloadPdf } from './download-pdf.ts'

interface Receipts {
	isPrinting: (transactionId: string) => boolean
	print: (transactionId: string) => void
}

const WORDS = { refused: 'Failed to generate receipt', broken: 'Error downloading receipt' }

/** Downloads receipts of recharges; several may be on their way at once. */
export function useReceipt(): Receipts {
	const [printing, setPrinting] = useState<readonly string[]>([])
	const download = async (transactionId: string) => {
		setPrinting((ids) => [...ids, transactionId])
		await downloadPdf(() => call(wallet.receipt, { params: { transactionId } }), WORDS)
		setPrinting((ids) => ids.filter((id) => id !== transactionId))
	}
	const isPrinting = (transactionId: string) => printing.includes(transactionId)
	return { isPrinting, print: (transactionId) => void (!isPrinting(transactionId) && download(transactionId)) }
}
