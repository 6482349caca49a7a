import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMay } from '#features/auth/web/parts.tsx'
import { appConfig } from '#lib/web/app-config.ts'
import { openAddMoney, type AddMoneyRequest } from './add/add-money.ts'

interface AddMoneyButtonProps extends ButtonProps {
	request?: AddMoneyRequest
	/** Text; "Add money" by default. */
	children?: string
}

/** Renders a button that opens the dialog; nothing for colleagues, nor where online payments are not configured. */
export function AddMoneyButton({ request, children = 'Add money', ...rest }: AddMoneyButtonProps) {
	const isOwner = useMay('owner')
	if (!appConfig.addMoney || !isOwner) return null
	return (
		<Button {...rest} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => openAddMoney(request)}>
			{children}
		</Button>
	)
}
