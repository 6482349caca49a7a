import { Button, Skeleton } from '@mantine/core'
import { IconPencil, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { rememberUser } from '#features/auth/web/parts.tsx'
import { users, type Profile } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { ApiError } from '#lib/web/api.ts'
import { draftOf } from '#lib/web/drafts/draft-store.ts'
import { invalidate, query, queryClient } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { EditProfile, PROFILE_DRAFT } from './edit-profile.tsx'
import { ProfileFacts } from './profile-facts.tsx'
import { ProfileHead } from './profile-head.tsx'

/** Renders the profile with its form. Everything else that a user sets is in Settings. */
export function MyProfile() {
	const profile = useQuery(query(users.me))
	const [editing, setEditing] = useEditing()
	const isOffline = profile.error instanceof ApiError && profile.error.status === 0
	useErrorToast(profile.error, isOffline ? 'Error loading profile' : 'Failed to fetch user profile')
	const showSkeleton = useDelayed(profile.isPending)
	const save = (user: Profile) => {
		queryClient.setQueryData(query(users.me).queryKey, user)
		rememberUser(user)
		setEditing(false)
		void invalidate(users.list)
	}
	return (
		<>
			<PageHeader
				title="My Profile"
				actions={
					<>
						<Button
							component={Link}
							to={userPaths.settings}
							variant="default"
							leftSection={<IconSettings size={16} aria-hidden />}
						>
							Settings
						</Button>
						{profile.data && !editing && (
							<Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(true)}>
								Edit Profile
							</Button>
						)}
					</>
				}
			/>
			<Card narrow>
				{profile.data && <ProfileHead profile={profile.data} />}
				{profile.data && editing && (
					<EditProfile profile={profile.data} onSaved={save} onCancel={() => setEditing(false)} />
				)}
				{profile.data && !editing && <ProfileFacts profile={profile.data} />}
				{profile.error && !profile.data && <LoadError message="Unable to load profile" reading={profile} />}
				{profile.isPending && (
					<div role="status" aria-label="Loading profile">
						<Skeleton height={280} visible={showSkeleton} />
					</div>
				)}
			</Card>
		</>
	)
}

/**
 * Returns true while the profile is being edited, with the setter. Editing starts for an unsaved draft and for
 * `?edit=1`, which is removed so that a reload does not start editing again.
 */
function useEditing() {
	const [search, setSearch] = useSearchParams()
	const asked = search.get('edit') === '1'
	const [editing, setEditing] = useState(() => asked || draftOf(PROFILE_DRAFT).read() !== null)
	if (asked && !editing) setEditing(true)
	useEffect(() => {
		if (asked) setSearch({}, { replace: true })
	}, [asked, setSearch])
	return [editing, setEditing] as const
}
