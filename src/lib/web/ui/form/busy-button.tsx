import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'

export interface BusyButtonProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
	busy: boolean
	/** Text while busy. */
	busyText?: string
}

/** Renders a button that is disabled while busy and announces it to screen readers. */
export function BusyButton({ busy, busyText, disabled, children, ...rest }: BusyButtonProps) {
	return (
		<Button {...rest} disabled={busy || disabled} aria-busy={busy}>
			{busy && busyText ? busyText : children}
		</Button>
	)
}
