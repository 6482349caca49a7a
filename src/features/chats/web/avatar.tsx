import { Box } from '@mantine/core'
import { avatarLetter } from './chat-name.ts'

export function Avatar({ name }: { name: string }) {
	const colours = { c: 'var(--app-nav-text)', bg: 'var(--app-nav-fill)' }
	return (
		<Box component="span" className="disc" w={40} h={40} fz={16} fw={600} {...colours} aria-hidden>
			{avatarLetter(name)}
		</Box>
	)
}
