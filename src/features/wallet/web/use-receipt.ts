import { useState } from 'react'
import { ApiError, call } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { toast } from '#lib/web/toast.tsx'
import { wallet } from '../contract.ts'

interface Receipts {
	isPrinting: (transactionId: string) => boolean
	print: (transactionId: string) => void
}

/** Downloads receipts of recharges; several may be on their way at once. */
export function useReceipt(): Receipts {
	const [printing, setPrinting] = useState<readonly string[]>([])
	const download = async (transactionId: string) => {
		setPrinting((ids) => [...ids, transactionId])
		try {
			saveFile(await call(wallet.receipt, { params: { transactionId } }), `receipt_${transactionId}.pdf`)
		} catch (error) {
			const isRefused = error instanceof ApiError && error.status > 0
			if (isRefused) toast.failure(error, 'Failed to generate receipt')
			else toast.error('Error downloading receipt')
		} finally {
			setPrinting((ids) => ids.filter((id) => id !== transactionId))
		}
	}
	const isPrinting = (transactionId: string) => printing.includes(transactionId)
	return { isPrinting, print: (transactionId) => void (!isPrinting(transactionId) && download(transactionId)) }
}
