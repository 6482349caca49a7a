import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Tone } from '../value/tone-badge.tsx'

interface IconBoxProps {
	tone: Tone
	/** A tabler icon of size 20. */
	icon: ReactNode
}

/** Renders an icon on a square in its tone. Decorative: the text next to it has the same meaning. */
export function IconBox({ tone, icon }: IconBoxProps) {
	return (
		<Box component="span" className="centred" flex="none" w={36} h={36} bdrs={8} data-tone={tone} aria-hidden>
			{icon}
		</Box>
	)
}
