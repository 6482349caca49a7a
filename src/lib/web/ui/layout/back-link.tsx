import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '#lib/web/router/link.tsx'

/** Renders the link to the parent screen above a page's title. */
export function BackLink({ to, name }: { to: string; name: string }) {
	return (
		<Anchor component={Link} to={to} display="inline-flex" mb={8} style={{ gap: 6, alignItems: 'center' }}>
			<IconArrowLeft size={16} aria-hidden /> {name}
		</Anchor>
	)
}
