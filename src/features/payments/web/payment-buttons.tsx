import { Button } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { readReceipt, receiptFailed } from '#features/wallet/web/receipt.ts'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'

interface ContinueButtonProps {
	/** Address of the provider's page. */
	url: string
	children: string
}

/** Renders the link to the provider's page of an open payment. */
export function ContinueButton({ url, children }: ContinueButtonProps) {
	return (
		<Button component="a" href={url}>
			{children}
		</Button>
	)
}

interface ReceiptButtonProps {
	/** Ledger entry id of the receipt. */
	id: string
	children: string
}

export function ReceiptButton({ id, children }: ReceiptButtonProps) {
	return (
		<DownloadButton
			leftSection={<IconReceipt size={16} aria-hidden />}
			busyText="Preparing..."
			read={() => readReceipt(id)}
			failed={receiptFailed}
		>
			{children}
		</DownloadButton>
	)
}
