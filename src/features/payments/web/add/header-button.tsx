import { ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { forgetAddMoney, openAddMoney, useAddMoney } from './add-money.ts'
import styles from './header-button.module.css'

const Dialog = latePart(() => import('./add-money-dialog.tsx').then((module) => module.AddMoneyDialog))

/** Renders the owner's button beside the balance, and the dialog, whose code is loaded at its first opening by any button. */
export function HeaderButton() {
	const { request } = useAddMoney()
	// The dialog does not open again for the next user of this page.
	useEffect(() => forgetAddMoney, [])
	const balance = useQuery(query(wallet.balance)).data?.walletBalance ?? 0
	const isOwner = useMay('owner')
	if (!isOwner) return null
	return (
		<>
			<ActionIcon
				className={styles.add}
				bg="var(--app-ok-fill)"
				c="var(--app-ok-text)"
				size="var(--app-control)"
				data-balance={sizeOf(balance)}
				aria-label="Add money"
				title="Add money"
				onPointerEnter={Dialog.preload}
				onClick={() => openAddMoney()}
			>
				<IconPlus size={18} aria-hidden />
			</ActionIcon>
			{request && <Dialog />}
		</>
	)
}

/** Returns the size of the balance beside the button, which decides from which width both have room. */
function sizeOf(rupees: number): 'less' | 'lakh' | 'crore' {
	if (rupees >= 10_000_000) return 'crore'
	return rupees >= 100_000 ? 'lakh' : 'less'
}
