import { useState } from 'react'
import { call } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/save-file.ts'
import { toast } from '#lib/web/toast.tsx'
import { wallet } from '../contract.ts'

/** Downloads the receipt of a recharge; `busy` is the id of the one being made. */
export function useReceipt(): { busy: string | null; print: (transactionId: string) => void } {
	const [busy, setBusy] = useState<string | null>(null)
	const download = async (transactionId: string) => {
		setBusy(transactionId)
		try {
			saveFile(await call(wallet.receipt, { params: { transactionId } }), `receipt_${transactionId}.pdf`)
		} catch (error) {
			toast.failure(error, 'Failed to generate receipt')
		} finally {
			setBusy(null)
		}
	}
	return { busy, print: (transactionId) => void (busy === null && download(transactionId)) }
}
