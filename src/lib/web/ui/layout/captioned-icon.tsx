import { ActionIcon, Stack } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'

interface CaptionedIconProps extends ComponentProps<'button'> {
	/** Whole name of the action, which contains the caption. */
	'aria-label': string
	/** One short word. */
	caption: string
	icon: ReactNode
}

/** Renders an icon button with a word below the icon, for places without room for a button in words. */
export function CaptionedIcon({ caption, icon, ...rest }: CaptionedIconProps) {
	return (
		<ActionIcon color="gray" size={40} miw={52} title={rest['aria-label']} {...rest}>
			<Stack component="span" gap={0} align="center">
				{icon}
				<span className="fine">{caption}</span>
			</Stack>
		</ActionIcon>
	)
}
