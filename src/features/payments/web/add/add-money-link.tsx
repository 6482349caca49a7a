import { Anchor } from '@mantine/core'
import { useMay } from '#features/auth/web/parts.tsx'
import { openAddMoney } from './add-money.ts'

/** Renders a link that opens the dialog; for colleagues, who add no money, the owner's part. */
export function AddMoneyLink() {
	const isOwner = useMay('owner')
	if (!isOwner) return 'The owner of the account adds money.'
	return (
		<Anchor component="button" type="button" inherit underline="always" onClick={() => openAddMoney()}>
			Add money
		</Anchor>
	)
}
