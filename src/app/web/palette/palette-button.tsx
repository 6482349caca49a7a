import { ActionIcon } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { SessionUser } from '#features/auth/contract.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'

const Palette = latePart(() => import('./palette.tsx').then((module) => module.Palette))

/** Renders the button that opens the palette. Ctrl+K and ⌘K open it from anywhere, also from a field. */
export function PaletteButton({ user }: { user: SessionUser }) {
	const [opened, { open, close }] = useDisclosure(false)
	const [isNeeded, setIsNeeded] = useState(false)
	const show = () => {
		setIsNeeded(true)
		open()
	}
	useHotkeys([['mod+K', show]], [], true)
	return (
		<>
			<ActionIcon
				variant="subtle"
				color="gray"
				size="var(--app-control)"
				aria-label="Go to"
				title="Go to… (Ctrl+K)"
				aria-keyshortcuts="Control+K Meta+K"
				aria-haspopup="dialog"
				onClick={show}
			>
				<IconSearch size={22} stroke={1.7} aria-hidden />
			</ActionIcon>
			{isNeeded && <Palette user={user} opened={opened} onClose={close} />}
		</>
	)
}
