import { ApiError, call } from '#lib/web/api.ts'
import { toast } from '#lib/web/toast.tsx'
import { wallet } from '../contract.ts'

/** Says in a toast that a PDF could not be downloaded: `refused` where the server gives no reason, `broken` where no whole answer came. */
export function pdfFailed(refused: string, broken: string): (error: unknown) => void {
	return (error) => {
		const isRefused = error instanceof ApiError && error.status > 0
		if (isRefused) toast.failure(error, refused)
		else toast.error(broken)
	}
}

/** The receipt of a recharge, as a PDF. */
export function readReceipt(transactionId: string): Promise<File> {
	return call(wallet.receipt, { params: { transactionId } })
}

export const receiptFailed = pdfFailed('Failed to generate receipt', 'Error downloading receipt')
