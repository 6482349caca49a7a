import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

export interface BusyButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
	busy: boolean
	/** Instead of its text while it is busy. */
	busyText?: string
}

/** Cannot be pressed while it is busy, and says so to screen readers, too. */
export function BusyButton({ busy, busyText, disabled, children, ...rest }: BusyButtonProps) {
	return (
		<Button {...rest} disabled={busy || disabled} aria-busy={busy}>
			{busy && busyText ? busyText : children}
		</Button>
	)
}
