import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconReceipt } from '@tabler/icons-react'
import type { PaymentNote } from '#features/payments/contract.ts'
import { readReceipt, readTaxNote, receiptFailed } from '#features/wallet/web/receipt.ts'
import { formatRupees } from '#lib/money.ts'
import { saveFile } from '#lib/web/files/save-file.ts'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { useAction } from '#lib/web/use-action.ts'

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
	/** Notes of the tax invoice, oldest first. */
	notes: PaymentNote[]
	/** Text of the button while the receipt is the only document. */
	children: string
	/** Name of the user, for a list of several users' payments. */
	userName?: string
}

/** Renders the download of a payment's receipt, or a menu of the tax invoice and its notes. */
export function ReceiptButton({ id, notes, children, userName }: ReceiptButtonProps) {
	const { busy, run } = useAction()
	const labelled = (text: string) => userName && { 'aria-label': `${text} of ${userName}` }
	if (notes.length === 0)
		return (
			<DownloadButton
				leftSection={<IconReceipt size={16} aria-hidden />}
				busyText="Preparing..."
				read={() => readReceipt(id)}
				failed={receiptFailed}
				{...labelled('Receipt')}
			>
				{children}
			</DownloadButton>
		)
	const save = (read: () => Promise<File>) => run(async () => saveFile(await read()), receiptFailed)
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<Button
					variant="default"
					leftSection={<IconReceipt size={16} aria-hidden />}
					rightSection={<IconChevronDown size={16} aria-hidden />}
					disabled={busy}
					{...labelled('Documents')}
				>
					{busy ? 'Preparing...' : 'Documents'}
				</Button>
			</Menu.Target>
			<Menu.Dropdown>
				<Menu.Item onClick={() => save(() => readReceipt(id))}>Tax invoice</Menu.Item>
				{notes.map(({ _id, kind, number, total }) => (
					<Menu.Item key={_id} onClick={() => save(() => readTaxNote(_id))}>
						{kind === 'credit' ? 'Credit note' : 'Debit note'} {number}, {formatRupees(total)}
					</Menu.Item>
				))}
			</Menu.Dropdown>
		</Menu>
	)
}
