import { Avatar, Box, Group } from '@mantine/core'
import { IconWallet } from '@tabler/icons-react'
import { SEAT_NAMES } from '#features/auth/seat-names.ts'
import type { Profile } from '#features/users/contract.ts'
import { admits } from '#lib/endpoint.ts'
import { initialOf } from '#lib/text/characters.ts'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

/** Renders name and role of the profile, and a user's wallet balance. */
export function ProfileHead({ profile: { name, role, seat, walletBalance } }: { profile: Profile }) {
	return (
		<Group mb={20}>
			<Avatar size={64} color="green" variant="filled" radius={64} aria-hidden>
				{initialOf(name || role)}
			</Avatar>
			<Box flex={1} miw="min(160px, 100%)">
				<p className="title whole">
					<UserText text={name} />
				</p>
				<Box component="p" className="quiet" fw={600} lts="0.04em">
					{(seat === 'owner' ? role : SEAT_NAMES[seat]).toUpperCase()}
				</Box>
			</Box>
			{admits('manager', { role, seat }) && (
				<Group data-tone="ok" gap={12} wrap="nowrap" py={10} px={16} bdrs={12} w={{ base: '100%', sm: 'auto' }}>
					<IconWallet size={24} stroke={1.6} aria-hidden />
					<div>
						<Box component="p" fz={13} lh="1.25rem">
							Wallet Balance
						</Box>
						<p className="title">
							<Money rupees={walletBalance} />
						</p>
					</div>
				</Group>
			)}
		</Group>
	)
}
