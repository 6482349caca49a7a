import { ApiError, call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { wallet } from '../contract.ts'

/**
 * Returns an error handler that shows a toast for a failed PDF download: `refused` when the server gives no reason,
 * `broken` when no answer came or it is incomplete.
 */
export function pdfFailed(refused: string, broken: string): (error: unknown) => void {
	return (error) => {
		const isRefused = error instanceof ApiError && error.status > 0
		if (isRefused) toast.failure(error, refused)
		else toast.error(broken)
	}
}

/** Downloads a recharge's receipt as PDF. */
export function readReceipt(transactionId: string): Promise<File> {
	return call(wallet.receipt, { params: { transactionId } })
}

/** Downloads a credit or debit note as PDF. */
export function readTaxNote(noteId: string): Promise<File> {
	return call(wallet.taxNote, { params: { noteId } })
}

export const receiptFailed = pdfFailed('Failed to generate receipt', 'Error downloading receipt')
